import { type IdFactory, normalizeEmail } from '@crmkit/core'
import { planPasswordReset } from '../../features/auth/plan-password-reset.ts'
import type { IdentityNote, RequestedReset } from '../../features/system-handler.ts'
import type { Clock } from '../../ports/clock.ts'
import type { SecretBox } from '../../ports/secret-box.ts'
import type { SessionTokens } from '../../ports/session-tokens.ts'
import type { Storage } from '../../ports/storage.ts'
import type { SystemStore } from '../../ports/system-store.ts'
import { VersionConflict } from '../../storage/errors.ts'
import { PeriodicWriter } from './periodic-writer.ts'

/** Further requests are dropped before they fill the memory. */
const waitingMax = 10_000
/** A request that conflicts more often than that is dropped: its owner asks again. */
const triesMax = 5

interface Parts {
  system: SystemStore
  forTenant: Storage['forTenant']
  tokens: Pick<SessionTokens, 'newPasswordReset'>
  secrets: SecretBox
  ids: IdFactory
  clock: Clock
  noteIdentities(note: IdentityNote): void
  onError(error: unknown): void
}

interface Waiting {
  requested: RequestedReset
  tries: number
}

/**
 * Finds who signs in with an address, and queues the mail, within a second after the response: so the time of the
 * response reveals nothing about the address. A process that is killed loses a second.
 */
export class PasswordResetMailer extends PeriodicWriter {
  readonly #parts: Parts
  #waiting = new Map<string, Waiting>()

  constructor(parts: Parts) {
    super()
    this.#parts = parts
  }

  /** Several requests for an address within the second are one. */
  note(requested: RequestedReset): void {
    this.#add({ requested, tries: 0 })
  }

  #add(waiting: Waiting): void {
    const { email, tenantId = '' } = waiting.requested
    if (this.#waiting.size < waitingMax) this.#waiting.set(`${tenantId} ${normalizeEmail(email)}`, waiting)
  }

  protected override async write(): Promise<void> {
    const waiting = this.#waiting
    this.#waiting = new Map()
    for (const { requested, tries } of waiting.values()) {
      try {
        await this.#queueMail(requested)
      } catch (error) {
        if (!(error instanceof VersionConflict)) this.#parts.onError(error)
        if (tries < triesMax) this.#add({ requested, tries: tries + 1 })
      }
    }
  }

  async #queueMail(requested: RequestedReset): Promise<void> {
    const { system, clock, noteIdentities, ...parts } = this.#parts
    const planned = await planPasswordReset({ ...parts, system, nowMs: clock.nowMs() }, requested)
    if (planned === undefined) return
    const { tenantId, change, identityIds } = planned
    await system.commit(tenantId, change)
    noteIdentities({ action: 'user.passwordResetRequested', identityIds })
  }
}
