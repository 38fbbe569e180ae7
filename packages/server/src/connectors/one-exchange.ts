import type { ConnectorSignIns, GrantedAccess } from '../ports/connector-sign-in.ts'

const keptMax = 100

/** A code serves once at the vendor, but a handler runs again when its commit conflicts: it then gets the same tokens. */
export function withOneExchange(signIns: ConnectorSignIns): ConnectorSignIns {
  const exchanges = new Map<string, Promise<GrantedAccess>>()
  return {
    ...signIns,
    exchange: (received) => {
      const key = `${received.tenantId} ${received.accountsServer} ${received.code}`
      const known = exchanges.get(key)
      if (known !== undefined) return known
      const exchange = signIns.exchange(received)
      exchanges.set(key, exchange)
      exchange.catch(() => exchanges.delete(key))
      const [oldest] = exchanges.keys()
      if (exchanges.size > keptMax && oldest !== undefined) exchanges.delete(oldest)
      return exchange
    },
  }
}
