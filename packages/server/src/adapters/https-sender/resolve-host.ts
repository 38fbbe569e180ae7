import { Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { isLocalhost } from './destination-guard.ts'

/** Resolves to every address of a host; rejects when there is none. */
export type ResolveHost = (host: string) => Promise<string[]>

interface HostResolverOptions {
  hostsFile?: string
  /** Name servers to use instead of the system's. */
  servers?: readonly string[]
}

// How long a result for one address family waits for the other one. Only addresses that are returned here are ever
// connected to, so a later result has no effect.
const otherFamilyMs = 200

/**
 * Resolves names without `dns.lookup`, which occupies a thread of Node's small pool while a name server is silent: one
 * tenant's dead domain would then delay every other tenant's deliveries.
 */
export function createHostResolver({
  hostsFile = '/etc/hosts',
  servers,
}: HostResolverOptions = {}): ResolveHost {
  const resolver = new Resolver({ timeout: 1500, tries: 2 })
  if (servers !== undefined) resolver.setServers(servers)
  return async (host) => {
    if (isIP(host) !== 0) return [host]
    if (isLocalhost(host)) return ['127.0.0.1', '::1']
    const fixed = await findInHostsFile(hostsFile, host)
    if (fixed.length > 0) return fixed
    const families = [resolver.resolve4(host), resolver.resolve6(host)]
    await Promise.any(families).catch(() => undefined)
    const settled = await Promise.all(families.map(orNone))
    const addresses = settled.flat()
    if (addresses.length === 0) await families[0]
    return addresses
  }
}

async function orNone(resolving: Promise<string[]>): Promise<string[]> {
  const late = new AbortController()
  const waited = delay(otherFamilyMs, [], { signal: late.signal, ref: false }).catch(() => [])
  const addresses = await Promise.race([resolving.catch(() => []), waited])
  late.abort()
  return addresses
}

async function findInHostsFile(path: string, host: string): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch(() => '')
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    return names.includes(host) ? [address] : []
  })
}
