import type { Clock } from '../../ports/clock.ts'
import type { SystemStore } from '../../ports/system-store.ts'
import { isoTime } from '../../shared/clock.ts'
import type { TenantId } from '../../storage/records.ts'
import type { Authenticated } from '../credentials/credential-kind.ts'
import { PeriodicWriter } from './periodic-writer.ts'

const writeEveryMs = 5_000
/** `lastUsedAt` is promised to one minute. */
const accuracyMs = 50_000

interface Use {
  tenantId: TenantId
  id: string
  at: string
}

/** Notes when keys were last used, in memory, and writes it now and then: never a write for a request. */
export class KeyUseRecorder extends PeriodicWriter {
  readonly #system: SystemStore
  readonly #clock: Clock
  readonly #onError: (error: unknown) => void
  readonly #lastWritten = new Map<string, number>()
  readonly #waiting = new Map<string, Use>()

  constructor(system: SystemStore, { clock, onError }: { clock: Clock; onError: (error: unknown) => void }) {
    super(writeEveryMs)
    this.#system = system
    this.#clock = clock
    this.#onError = onError
  }

  record({ tenantId, actor }: Authenticated): void {
    if (actor.type !== 'apiKey') return
    const nowMs = this.#clock.nowMs()
    const id = actor._id
    if (nowMs - (this.#lastWritten.get(id) ?? 0) < accuracyMs) return
    this.#lastWritten.set(id, nowMs)
    this.#waiting.set(id, { tenantId, id, at: isoTime(nowMs) })
  }

  protected override async write(): Promise<void> {
    if (this.#waiting.size === 0) return
    const uses = [...this.#waiting.values()]
    this.#waiting.clear()
    try {
      await this.#system.touchApiKeys(uses)
    } catch (error) {
      this.#onError(error)
    }
  }
}
