import { type getCall, type listCalls, notFound } from '@crmkit/core'
import { shownCall, shownCalls } from '../../shared/people-of-phone.ts'
import { pageReply } from '../../shared/reply-page.ts'
import type { Handler } from '../handler.ts'

export const handleListCalls: Handler<typeof listCalls> = async ({ store }, { query }) => {
  const page = await store.calls.list(query)
  return { reply: pageReply({ ...page, rows: await shownCalls(store, page.rows) }, query) }
}

export const handleGetCall: Handler<typeof getCall> = async ({ store }, { params }) => {
  const call = await store.calls.find(params.callId)
  if (call === undefined) throw notFound()
  return { reply: { success: true, data: await shownCall(store, call) } }
}
