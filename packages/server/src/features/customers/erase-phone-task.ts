import type { StoredCall } from '@crmkit/core'
import type { TaskHandler } from '../../jobs/run-tasks.ts'
import type { Write } from '../../ports/change.ts'
import { passFaultPoint } from '../../shared/fault-points.ts'
import { callsOfPhone, callWithout, isExplained } from '../../shared/people-of-phone.ts'
import type { Stored } from '../../storage/records.ts'
import { erasedPerCommitMax } from '../../storage/rules/erased.ts'

/** Calls of one commit. */
const pageSize = 50

/**
 * Erases a phone number of an erased customer in the calls until the request. Decided when it runs: while another living customer
 * who was made before the request has the number, the calls may be theirs.
 */
export const eraseNextOfPhone: TaskHandler = async (ctx, task) => {
  const { targetId: phone, requestedAt: until, subjectId: except } = task
  const { store, now } = ctx
  if (phone === null) throw new Error(`task ${task._id} has no number`)
  if (await isExplained(store, phone, { except, before: until })) return undefined
  passFaultPoint('between-erasure-pages')
  const calls: Stored<StoredCall>[] = []
  for await (const call of callsOfPhone(store, { phone, until })) {
    calls.push(call)
    if (calls.length === pageSize) break
  }
  if (calls.length === 0) return undefined
  // The calls are how their events are found, so these are first.
  const about = calls.map(({ _id }) => _id)
  while ((await store.eraseNext({ about, naming: null, at: now, limit: erasedPerCommitMax })) > 0)
    passFaultPoint('between-erasure-pages')
  const writes = calls.map(async (call): Promise<Write> => {
    const { _id: id, version: expectVersion } = call
    return { op: 'update', kind: 'calls', id, expectVersion, set: await callWithout(store, call, phone) }
  })
  return { writes: await Promise.all(writes), events: [] }
}
