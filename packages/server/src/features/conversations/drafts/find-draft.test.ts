import { expect, test } from 'vitest'
import { sample } from '../../../../test/contracts/storage/samples.contract.ts'
import type { TenantId } from '../../../storage/records.ts'
import { type DraftRow, namedDraft, shownDraft } from './find-draft.ts'

const row: DraftRow = { ...sample.drafts('ten_1' as TenantId, {}), version: 3 }

const agent = { permissions: ['read:conversations', 'read:customers'] } as const
const narrow = { permissions: ['read:conversations'] } as const

test('a draft is shown without the fields that only the service uses', () => {
  const {
    authorId: _authorId,
    seenSeq: _seenSeq,
    dueAt: _dueAt,
    basedOnAuthor: _basedOnAuthor,
    filled: _filled,
    ...rest
  } = row
  expect(shownDraft(row, agent)).toEqual({ ...rest, recipientsHidden: false })
})

test('without read:customers no address is shown that the service has chosen, and every one that somebody named', () => {
  const basis = { door: 'email', from: 'help@acme.test', customerEmail: 'ada@example.com' } as const
  const chosen = { ...row, to: ['ada@example.com'], cc: ['bob@example.com'], basis }
  expect(shownDraft({ ...chosen, filled: ['to', 'cc'] }, narrow)).toMatchObject({
    to: [],
    cc: [],
    basis: { door: 'email', from: 'help@acme.test', customerEmail: null },
    recipientsHidden: true,
  })
  expect(shownDraft({ ...chosen, filled: [] }, narrow)).toMatchObject({ to: chosen.to, cc: chosen.cc })
  expect(shownDraft({ ...chosen, filled: ['to'] }, narrow)).toMatchObject({ to: [], cc: chosen.cc })
})

test('a change of a draft is named without its content, files and recipients', () => {
  const { _id: draftId, conversationId, author, version, sendAt } = row
  expect(namedDraft(row)).toEqual({ conversationId, draftId, author, version, sendAt })
})
