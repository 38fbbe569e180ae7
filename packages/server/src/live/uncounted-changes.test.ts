import { expect, it } from 'vitest'
import type { Committed } from '../ports/storage.ts'
import { changesMails, endedSessions, isUncounted } from './uncounted-changes.ts'

const commit = (writes: object[], subjects: string[] = []) =>
  ({ change: { writes, events: subjects.length > 0 ? [{ subjects }] : [] } }) as unknown as Committed
const update = (set: object) => ({ op: 'update', kind: 'conversations', id: 'con_1', set })

it('sees changes of counts that no event reports, such as those of an import', () => {
  const insert = { op: 'insert', kind: 'conversations', row: { _id: 'con_1' } }
  for (const write of [
    insert,
    update({ status: 'closed' }),
    update({ assignedTo: null }),
    { ...update({}), op: 'erase' },
  ]) {
    expect(isUncounted(commit([write]))).toBe(true)
    expect(isUncounted(commit([write], ['con_2']))).toBe(true)
    expect(isUncounted(commit([write], ['con_1']))).toBe(false)
  }
  expect(isUncounted(commit([{ op: 'insert', kind: 'inboxes', row: { _id: 'inb_1' } }]))).toBe(true)
  expect(
    isUncounted(commit([{ op: 'patch', kind: 'conversations', id: 'con_1', increment: { seq: 1 } }])),
  ).toBe(true)
})

it('sees none in other fields, such as the first time at which the team has read a conversation', () => {
  expect(isUncounted(commit([update({ readAt: {} }), update({ labels: [] })]))).toBe(false)
  expect(isUncounted(commit([{ op: 'insert', kind: 'customers', row: { _id: 'cus_1' } }]))).toBe(false)
  expect(isUncounted(commit([{ op: 'patch', kind: 'conversations', id: 'con_1' }]))).toBe(false)
})

it('names the sessions that a commit ends', () => {
  const session = { op: 'update', kind: 'sessions', id: 'ses_1' }
  expect(endedSessions(commit([{ ...session, set: { endedAt: 'now' } }]))).toEqual(['ses_1'])
  expect(endedSessions(commit([{ ...session, op: 'remove' }]))).toEqual(['ses_1'])
  expect(endedSessions(commit([{ ...session, set: { refreshHash: 'x' } }]))).toEqual([])
})

it('sees changes of the mails that need a person, and none in usual ones', () => {
  const mail = (set: object) => ({ op: 'update', kind: 'inboundMails', id: 'mail_1', set })
  for (const write of [
    mail({ status: 'received' }),
    mail({ status: 'ignored', reason: 'discarded' }),
    mail({ status: 'ignored', reason: 'duplicate' }),
    { op: 'remove', kind: 'inboundMails', id: 'mail_1' },
    { op: 'insert', kind: 'inboundMails', row: { status: 'ignored' } },
  ])
    expect(changesMails(commit([write]))).toBe(true)
  for (const write of [
    mail({ status: 'processed' }),
    mail({ status: 'ignored', reason: 'loop' }),
    { op: 'insert', kind: 'inboundMails', row: { status: 'received' } },
    update({ status: 'closed' }),
  ])
    expect(changesMails(commit([write]))).toBe(false)
})
