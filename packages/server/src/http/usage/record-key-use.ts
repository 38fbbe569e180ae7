import type { SystemStore } from '../../ports/system-store.ts'
import { isoTime } from '../../shared/clock.ts'
import type { TenantId } from '../../storage/records.ts'
import { PeriodicWriter } from './periodic-writer.ts'

const writeEveryMs = 5_000
/** `lastUsedAt` is promised to one minute. */
const accuracyMs = 50_000

/** When a key was used last. */
export interface KeyUse {
  tenantId: TenantId
  id: string
  atMs: number
}

/** Notes when keys were last used, in memory, and writes it now and then: never a write for a request. */
export class KeyUseRecorder extends PeriodicWriter {
  readonly #system: SystemStore
  readonly #onError: (error: unknown) => void
  readonly #lastWritten = new Map<string, number>()
  readonly #waiting = new Map<string, { tenantId: TenantId; id: string; at: string }>()

  constructor(system: SystemStore, { onError }: { onError: (error: unknown) => void }) {
    super(writeEveryMs)
    this.#system = system
    this.#onError = onError
  }

  record({ tenantId, id, atMs }: KeyUse): void {
    if (atMs - (this.#lastWritten.get(id) ?? 0) < accuracyMs) return
    this.#lastWritten.set(id, atMs)
    this.#waiting.set(id, { tenantId, id, at: isoTime(atMs) })
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
