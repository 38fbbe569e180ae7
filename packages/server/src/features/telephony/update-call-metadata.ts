import { callAfterMetadata, notFound, type updateCallMetadata } from '@crmkit/core'
import { withoutVersion } from '../../storage/records.ts'
import type { Handler } from '../handler.ts'
import { updateCall } from './call-changes.ts'

export const handleUpdateCallMetadata: Handler<typeof updateCallMetadata> = async (ctx, { params, body }) => {
  const { store, now } = ctx
  const before = await store.calls.find(params.callId)
  if (before === undefined) throw notFound()
  const after = callAfterMetadata(withoutVersion(before), body, now)
  const { change, call: data } = await updateCall(before, after, ctx)
  return { change, reply: { success: true, data } }
}
