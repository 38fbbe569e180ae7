import { type setAutoSync, validationFailure } from '@crmkit/core'
import { autoSyncMinutesDefault } from '@crmkit/core/vocabulary'
import { nextSyncAt } from '../../imports/run/run-ends.ts'
import { showIntegration } from '../../imports/run/show-integration.ts'
import type { Handler } from '../handler.ts'
import { getIntegrationRow } from './find-run.ts'

const minuteMs = 60_000

export const handleSetAutoSync: Handler<typeof setAutoSync> = async ({ store, now }, { params, body }) => {
  const row = await getIntegrationRow(store, params.id)
  if (row.provider === 'file' || row.provider === 'package') {
    const message = 'cannot be set for files'
    throw validationFailure([{ field: 'enabled', message, rule: 'not_for_file', in: 'body' }])
  }
  const { enabled } = body
  const intervalMinutes = body.intervalMinutes ?? autoSyncMinutesDefault
  const isFirst = row.lastSyncAt === null
  const next = isFirst ? now : nextSyncAt(now, intervalMinutes * minuteMs)
  const autoSync = { enabled, intervalMinutes, nextRunAt: enabled ? next : null }
  const { _id: id, version: expectVersion } = row
  return {
    change: {
      writes: [{ op: 'update', kind: 'integrations', id, expectVersion, set: { autoSync, updatedAt: now } }],
      events: [],
    },
    audit: { action: 'integration.updated', target: { type: 'integration', _id: id }, changed: ['autoSync'] },
    reply: { success: true, data: showIntegration({ ...row, autoSync, updatedAt: now }) },
  }
}
