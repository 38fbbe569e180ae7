const keptMax = 100

interface Received {
  readonly tenantId: string
  readonly code: string
}

/** A code serves once at the vendor, but a handler runs again when its commit conflicts: it then gets the same tokens. */
export function exchangedOnce<R extends Received, Granted>(
  exchange: (received: R) => Promise<Granted>,
): (received: R) => Promise<Granted> {
  const exchanges = new Map<string, Promise<Granted>>()
  return (received) => {
    const key = `${received.tenantId} ${received.code}`
    const known = exchanges.get(key)
    if (known !== undefined) return known
    const exchanging = exchange(received)
    exchanges.set(key, exchanging)
    exchanging.catch(() => exchanges.delete(key))
    const [oldest] = exchanges.keys()
    if (exchanges.size > keptMax && oldest !== undefined) exchanges.delete(oldest)
    return exchanging
  }
}
