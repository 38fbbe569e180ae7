import type { Logger } from 'pino'
import type { Clock } from '../../ports/clock.ts'
import type { Storage } from '../../ports/storage.ts'
import { IdentityAuditRecorder } from './record-identity-audit.ts'
import { KeyUseRecorder } from './record-key-use.ts'
import { RequestMetricsRecorder } from './record-request-metrics.ts'
import { UsageRecorder } from './record-usage.ts'

interface Parts {
  storage: Storage
  clock: Clock
  log: Logger
}

/** The recorders of requests: they collect in memory and write periodically. */
export type UseRecorders = ReturnType<typeof createUseRecorders>

export function createUseRecorders({ storage, clock, log }: Parts) {
  const keyUses = new KeyUseRecorder(storage.system, {
    clock,
    onError: (error) => log.warn({ err: error }, 'The last use of keys could not be written'),
  })
  const usage = new UsageRecorder(storage.system, {
    clock,
    onDropped: (dropped) =>
      log.error({ dropped }, 'Usage counters could not be written for long and are lost'),
  })
  const metrics = new RequestMetricsRecorder(storage.system, {
    clock,
    onDropped: (dropped) =>
      log.error({ dropped }, 'Response times could not be written for long and are lost'),
  })
  const identityAudit = new IdentityAuditRecorder(storage.system, {
    clock,
    onError: (error) => log.warn({ err: error }, 'Sign-ins could not be written into the audit log'),
  })
  return { keyUses, usage, metrics, identityAudit }
}
