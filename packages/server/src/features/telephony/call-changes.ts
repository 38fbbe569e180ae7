import { callEvent, type StoredCall } from '@crmkit/core'
import type { Change } from '../../ports/change.ts'
import { shownCall } from '../../shared/people-of-phone.ts'
import type { Stored } from '../../storage/records.ts'
import { customerGuard } from '../conversations/conversation-references.ts'
import type { HandlerContext } from '../handler.ts'

type Making = Pick<HandlerContext, 'store' | 'ids' | 'now'>

/** Returns the change that stores a new call, with an event for its status, and the call as it is shown. */
export async function insertCall(row: StoredCall, { store, ids, now }: Making) {
  const call = await shownCall(store, row)
  const event = callEvent({ call, type: `call.${call.status}`, eventId: ids.next('evt'), now })
  const change: Change = {
    writes: [{ op: 'insert', kind: 'calls', row }, ...customerGuard(call.customerId)],
    events: [event],
  }
  return { change, call }
}

/** Returns the change of a stored call, with an event when its status rose or its recording became available, and the call as it is shown. */
export async function updateCall(before: Stored<StoredCall>, after: StoredCall, { store, ids, now }: Making) {
  const call = await shownCall(store, after)
  const { _id, tenantId, createdAt, ...set } = after
  const types: Parameters<typeof callEvent>[0]['type'][] = []
  if (after.status !== before.status) types.push(`call.${after.status}`)
  if (after.recording.available && !before.recording.available) types.push('call.recording.available')
  const change: Change = {
    writes: [{ op: 'update', kind: 'calls', id: _id, expectVersion: before.version, set }],
    events: types.map((type) => callEvent({ call, type, eventId: ids.next('evt'), now })),
  }
  return { change, call }
}
