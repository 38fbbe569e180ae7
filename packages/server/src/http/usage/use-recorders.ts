import type { IdFactory } from '@crmkit/core'
import type { Logger } from 'pino'
import type { Clock } from '../../ports/clock.ts'
import type { SecretBox } from '../../ports/secret-box.ts'
import type { SessionTokens } from '../../ports/session-tokens.ts'
import type { Storage } from '../../ports/storage.ts'
import { PasswordResetMailer } from './mail-password-resets.ts'
import { IdentityAuditRecorder } from './record-identity-audit.ts'
import { KeyUseRecorder } from './record-key-use.ts'
import { RequestRecorder } from './record-requests.ts'

interface Parts {
  storage: Storage
  clock: Clock
  log: Logger
  ids: IdFactory
  secrets: SecretBox
  tokens: Pick<SessionTokens, 'newPasswordReset'>
}

/** The recorders of requests: they collect in memory and write periodically. */
export type UseRecorders = ReturnType<typeof createUseRecorders>

export function createUseRecorders({ storage, clock, log, ids, secrets, tokens }: Parts) {
  const keyUses = new KeyUseRecorder(storage.system, {
    onError: (error) => log.warn({ err: error }, 'The last use of keys could not be written'),
  })
  const requests = new RequestRecorder(storage.system, {
    clock,
    onKeyUsed: (use) => keyUses.record(use),
    onDropped: (dropped) =>
      log.error({ dropped }, 'Counters of requests could not be written for long and are lost'),
  })
  const identityAudit = new IdentityAuditRecorder(storage.system, {
    clock,
    onError: (error) => log.warn({ err: error }, 'Sign-ins could not be written into the audit log'),
  })
  const passwordResets = new PasswordResetMailer({
    system: storage.system,
    forTenant: (tenantId) => storage.forTenant(tenantId),
    tokens,
    secrets,
    ids,
    clock,
    noteIdentities: (note) => identityAudit.note(note),
    onError: (error) => log.warn({ err: error }, 'A mail for a new password could not be queued'),
  })
  return { keyUses, requests, identityAudit, passwordResets }
}
