import {
  changesBetween,
  mappingProblems,
  notFound,
  updatedIntegration,
  type updateIntegration,
  validationFailure,
  valueProblems,
} from '@crmkit/core'
import { cancelRun } from '../../imports/run/cancel-run.ts'
import { showIntegration } from '../../imports/run/show-integration.ts'
import type { Write } from '../../ports/change.ts'
import { withoutVersion } from '../../storage/records.ts'
import type { Handler } from '../handler.ts'

export const handleUpdateIntegration: Handler<typeof updateIntegration> = async (ctx, { params, body }) => {
  const { store, now } = ctx
  const problems = [...mappingProblems(body.mapping ?? {}), ...valueProblems(body.values ?? {})]
  if (problems.length > 0) throw validationFailure(problems)
  const row = await store.integrations.find(params.id)
  if (row === undefined) throw notFound()
  const before = showIntegration(withoutVersion(row))
  const after = updatedIntegration(before, body, now)
  const changed = Object.keys(changesBetween(before, after))
  if (changed.length === 0) return { reply: { success: true, data: before } }
  const { _id: id, tenantId: _tenant, createdAt: _created, ...set } = after
  const cancelled = after.isActive ? undefined : await cancelRun(store, row, now)
  const update: Write = {
    op: 'update',
    kind: 'integrations',
    id,
    expectVersion: row.version,
    set: { ...set, ...cancelled?.set },
  }
  return {
    change: {
      writes: [update, ...(cancelled ? [cancelled.write] : [])],
      events: [],
    },
    audit: { action: 'integration.updated', target: { type: 'integration', _id: id }, changed },
    reply: { success: true, data: after },
  }
}
