import type { Clock } from '../ports/clock.ts'
import { HeldSecrets } from '../shared/held-secrets.ts'

/** A handler whose commit conflicts runs again within seconds. */
const keptMs = 60_000

interface Received {
  readonly tenantId: string
  readonly code: string
}

/** A code serves once at the vendor, but a handler runs again when its commit conflicts: it then gets the same tokens. */
export function exchangedOnce<R extends Received, Granted>(
  exchange: (received: R) => Promise<Granted>,
  clock: Clock,
): (received: R) => Promise<Granted> {
  const exchanges = new HeldSecrets<Promise<Granted>>(clock)
  return (received) => {
    const key = `${received.tenantId} ${received.code}`
    const known = exchanges.get(key)
    if (known !== undefined) return known
    const exchanging = exchange(received)
    exchanges.hold(key, exchanging, clock.nowMs() + keptMs)
    exchanging.catch(() => exchanges.forget(key))
    return exchanging
  }
}
