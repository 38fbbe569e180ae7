import { type getMessage, notFound, shownMessage } from '@crmkit/core'
import type { Handler } from '../handler.ts'

export const handleGetMessage: Handler<typeof getMessage> = async ({ store }, { params }) => {
  const message = await store.messages.find(params.id)
  if (message === undefined) throw notFound()
  return { reply: { success: true, data: shownMessage(message) } }
}
