import type { Committed } from '../../ports/storage.ts'
import type { TenantId } from '../../storage/records.ts'

/** Wakes the streams of this process whose tenant may have new events. */
export class EventWakes {
  readonly #sleepers = new Map<TenantId, Set<() => void>>()

  /** Returns a function that stops listening. */
  subscribe(tenantId: TenantId, onWake: () => void): () => void {
    const sleepers = this.#sleepers.get(tenantId) ?? new Set()
    this.#sleepers.set(tenantId, sleepers.add(onWake))
    return () => {
      sleepers.delete(onWake)
      if (sleepers.size === 0) this.#sleepers.delete(tenantId)
    }
  }

  readonly onCommitted = ({ tenantId }: Pick<Committed, 'tenantId'>): void => this.wake(tenantId)

  wake(tenantId: TenantId): void {
    for (const wake of this.#sleepers.get(tenantId) ?? []) wake()
  }

  wakeAll(): void {
    for (const tenantId of this.#sleepers.keys()) this.wake(tenantId)
  }
}
