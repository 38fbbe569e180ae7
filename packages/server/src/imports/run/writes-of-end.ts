import type { IdFactory } from '@crmkit/core'
import type { Write } from '../../ports/change.ts'
import { doorWrites, type Trouble } from '../../shared/note-door.ts'
import type { AuditEntry } from '../../storage/kinds/audit-log.ts'
import type { ImportRunRecord } from '../../storage/kinds/import-runs.ts'
import type { IntegrationRecord } from '../../storage/kinds/integrations.ts'
import type { Stored } from '../../storage/records.ts'

interface EndOfRun {
  set: Partial<IntegrationRecord>
  ids: IdFactory
  now: string
}

/** Returns the writes by which the end of a run changes its integration; a refused grant has an audit entry. */
export function writesOfEnd(
  { _id: id, tenantId, version: expectVersion, reauthRequired }: Stored<IntegrationRecord>,
  { set, ids, now }: EndOfRun,
): Write[] {
  const update: Write = { op: 'update', kind: 'integrations', id, expectVersion, set }
  if (!set.reauthRequired || reauthRequired) return [update]
  const entry: AuditEntry = {
    _id: ids.next('aud'),
    tenantId,
    at: now,
    actor: { type: 'system', _id: null },
    action: 'integration.reauth_required',
    target: { type: 'integration', _id: id },
    reason: 'the source refused the credentials',
    changed: ['reauthRequired'],
    requestId: null,
  }
  return [update, { op: 'insert', kind: 'auditLog', row: entry }]
}

/** Returns the writes by which the end of a run says whether its source can be read. A file is no door. */
export function doorWritesOfEnd(
  store: Parameters<typeof doorWrites>[0],
  { run, provider, now }: { run: ImportRunRecord; provider: IntegrationRecord['provider']; now: string },
): Promise<Write[]> | Write[] {
  const { status, error, dryRun, integrationId } = run
  const isDone = status === 'completed' || status === 'completed_with_errors'
  if (provider === 'file' || dryRun || (!isDone && status !== 'failed')) return []
  const trouble: Trouble | null = isDone
    ? null
    : { reason: error?.message ?? '', isSignInRefused: error?.code === 'REAUTH_REQUIRED' }
  return doorWrites(store, { door: 'source', of: integrationId }, { trouble, now })
}
