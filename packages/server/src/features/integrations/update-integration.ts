import {
  changesBetween,
  mappingProblems,
  notFound,
  updatedIntegration,
  type updateIntegration,
  validationFailure,
} from '@crmkit/core'
import { withoutVersion } from '../../storage/records.ts'
import type { Handler } from '../handler.ts'
import { showIntegration } from './show-integration.ts'

export const handleUpdateIntegration: Handler<typeof updateIntegration> = async (ctx, { params, body }) => {
  const { store, now } = ctx
  const problems = mappingProblems(body.mapping ?? {})
  if (problems.length > 0) throw validationFailure(problems)
  const row = await store.integrations.find(params.id)
  if (row === undefined) throw notFound()
  const before = showIntegration(withoutVersion(row))
  const after = updatedIntegration(before, body, now)
  const changed = Object.keys(changesBetween(before, after))
  if (changed.length === 0) return { reply: { success: true, data: before } }
  const { _id: id, tenantId: _tenant, createdAt: _created, ...set } = after
  return {
    change: {
      writes: [{ op: 'update', kind: 'integrations', id, expectVersion: row.version, set }],
      events: [],
    },
    audit: { action: 'integration.updated', target: { type: 'integration', _id: id }, changed },
    reply: { success: true, data: after },
  }
}
