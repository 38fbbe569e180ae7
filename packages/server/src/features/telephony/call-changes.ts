import { type Call, callEvent, type IdFactory } from '@crmkit/core'
import type { Change } from '../../ports/change.ts'
import type { Stored } from '../../storage/records.ts'
import { customerGuard } from '../conversations/conversation-references.ts'

interface Making {
  ids: IdFactory
  now: string
}

/** Returns the change that stores a new call, with an event for its status. */
export function insertCall(call: Call, { ids, now }: Making): Change {
  const event = callEvent({ call, type: `call.${call.status}`, eventId: ids.next('evt'), now })
  return {
    writes: [{ op: 'insert', kind: 'calls', row: call }, ...customerGuard(call.customerId)],
    events: [event],
  }
}

/** Returns the change of a stored call, with an event when its status rose or its recording became available. */
export function updateCall(before: Stored<Call>, after: Call, { ids, now }: Making): Change {
  const { _id, tenantId, createdAt, ...set } = after
  const types: Parameters<typeof callEvent>[0]['type'][] = []
  if (after.status !== before.status) types.push(`call.${after.status}`)
  if (after.recording.available && !before.recording.available) types.push('call.recording.available')
  return {
    writes: [{ op: 'update', kind: 'calls', id: _id, expectVersion: before.version, set }],
    events: types.map((type) => callEvent({ call: after, type, eventId: ids.next('evt'), now })),
  }
}
