import { expect, test } from 'vitest'
import type { Committed } from '../../ports/storage.ts'
import { CommitListeners } from '../../shared/commit-listeners.ts'
import { wakeOnCommit } from './wake-on-commit.ts'

function wakesOf(commit: Pick<Committed, 'deliveries'> & { writes?: unknown[] }) {
  const wakes: unknown[] = []
  const commits = new CommitListeners()
  wakeOnCommit(commits, { wake: (job, atMs) => wakes.push(atMs === undefined ? [job] : [job, atMs]) })
  const { deliveries, writes = [] } = commit
  commits.notify({ tenantId: 'ten_1', change: { writes, events: [] }, deliveries } as unknown as Committed)
  return wakes
}

test('a commit with deliveries wakes the deliveries job immediately', () =>
  expect(wakesOf({ deliveries: 2 })).toEqual([['deliveries']]))

test('a commit without deliveries wakes no job', () => {
  expect(wakesOf({ deliveries: 0, writes: [{ op: 'insert', kind: 'customers', row: {} }] })).toEqual([])
})

test('a changed webhook wakes the deliveries job: the webhook may have been activated again', () => {
  expect(
    wakesOf({ deliveries: 0, writes: [{ op: 'update', kind: 'webhooks', set: { isActive: true } }] }),
  ).toEqual([['deliveries']])
})

test('a snooze wakes the snoozes job at its end, and the end of a snooze does not', () => {
  const snoozed = { op: 'update', kind: 'conversations', set: { snoozedUntil: '2026-11-21T09:30:00.000Z' } }
  expect(wakesOf({ deliveries: 0, writes: [snoozed] })).toEqual([
    ['snoozes', Date.parse('2026-11-21T09:30:00.000Z')],
  ])
  expect(wakesOf({ deliveries: 0, writes: [{ ...snoozed, set: { snoozedUntil: null } }] })).toEqual([])
})
