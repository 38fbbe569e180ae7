import { type handOverIntegration, invalidState } from '@crmkit/core'
import { showIntegration } from '../../imports/run/show-integration.ts'
import type { Handler } from '../handler.ts'
import { assertIdle, getIntegrationRow } from './find-run.ts'

export const handleHandOver: Handler<typeof handOverIntegration> = async ({ store, now }, { params }) => {
  const row = await getIntegrationRow(store, params.id)
  const { _id: id, version: expectVersion, provider, handover } = row
  if (provider !== 'package') throw invalidState('Only a package is handed over', provider, ['package'])
  if (handover === 'done') return { reply: { success: true, data: showIntegration(row) } }
  assertIdle(row)
  const set = { handover: 'done', updatedAt: now } as const
  return {
    change: { writes: [{ op: 'update', kind: 'integrations', id, expectVersion, set }], events: [] },
    audit: { action: 'integration.handed_over', target: { type: 'integration', _id: id } },
    reply: { success: true, data: showIntegration({ ...row, ...set }) },
  }
}
