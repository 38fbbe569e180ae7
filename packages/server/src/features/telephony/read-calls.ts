import { type getCall, type listCalls, notFound } from '@crmkit/core'
import { pageReply } from '../../shared/reply-page.ts'
import type { Handler } from '../handler.ts'

export const handleListCalls: Handler<typeof listCalls> = async ({ store }, { query }) => {
  return { reply: pageReply(await store.calls.list(query), query) }
}

export const handleGetCall: Handler<typeof getCall> = async ({ store }, { params }) => {
  const call = await store.calls.find(params.callId)
  if (call === undefined) throw notFound()
  return { reply: { success: true, data: call } }
}
