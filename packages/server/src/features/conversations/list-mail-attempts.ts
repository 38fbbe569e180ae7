import { type listMailAttempts, notFound } from '@crmkit/core'
import type { Handler } from '../handler.ts'

export const handleListMailAttempts: Handler<typeof listMailAttempts> = async ({ store }, { params }) => {
  const [message, send] = await Promise.all([store.messages.find(params.id), store.mailSends.find(params.id)])
  if (message === undefined) throw notFound()
  return { reply: { success: true, data: send?.attempts ?? [] } }
}
