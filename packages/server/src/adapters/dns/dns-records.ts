import { Resolver } from 'node:dns/promises'
import type { DnsRecords } from '../../ports/dns-records.ts'

interface DnsOptions {
  /** Name servers to use instead of the system's, such as `127.0.0.1:5353`. */
  servers?: readonly string[] | undefined
}

const timeoutMs = 2_000
/** Companies publish dozens of TXT records at their domain, in any order, and that of SPF is one of them. */
const valuesMax = 200

/** A record that does not exist is a response, too. */
const isAbsent = (error: unknown) =>
  ['ENODATA', 'ENOTFOUND'].includes((error as { code?: string }).code ?? '')

export function createDnsRecords({ servers }: DnsOptions = {}): DnsRecords {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 2 })
  if (servers !== undefined) resolver.setServers(servers)
  const findTxt = async (name: string) => (await resolver.resolveTxt(name)).map((parts) => parts.join(''))
  const findMx = async (name: string) =>
    (await resolver.resolveMx(name)).map(({ priority, exchange }) => `${priority} ${exchange || '.'}`)
  const finders = {
    TXT: findTxt,
    MX: findMx,
    A: (name: string) => resolver.resolve4(name),
    AAAA: (name: string) => resolver.resolve6(name),
  }
  return {
    async find(type, name) {
      try {
        return (await finders[type](name)).slice(0, valuesMax)
      } catch (error) {
        return isAbsent(error) ? [] : null
      }
    },
  }
}
