import { type getIntegration, notFound } from '@crmkit/core'
import type { Handler } from '../handler.ts'
import { showIntegration } from './show-integration.ts'

export const handleGetIntegration: Handler<typeof getIntegration> = async ({ store }, { params }) => {
  const row = await store.integrations.find(params.id)
  if (row === undefined) throw notFound()
  return { reply: { success: true, data: showIntegration(row) } }
}
