import { expect, test } from 'vitest'
import { sample } from '../../../../test/contracts/storage/samples.contract.ts'
import type { TenantId } from '../../../storage/records.ts'
import { type DraftRow, namedDraft, shownDraft } from './find-draft.ts'

const row: DraftRow = { ...sample.drafts('ten_1' as TenantId, {}), version: 3 }

test('a draft is shown without the fields that only the service uses', () => {
  const { authorId: _authorId, seenSeq: _seenSeq, dueAt: _dueAt, ...rest } = row
  expect(shownDraft(row)).toEqual(rest)
})

test('a change of a draft is named without its content, files and recipients', () => {
  const { _id: draftId, conversationId, author, version, sendAt } = row
  expect(namedDraft(row)).toEqual({ conversationId, draftId, author, version, sendAt })
})
