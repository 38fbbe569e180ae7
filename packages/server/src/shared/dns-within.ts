import type { DnsRecords } from '../ports/dns-records.ts'

/** Returns look-ups that all end within a time, also the one that is under way: null, as from silent name servers. */
export function dnsWithin(dns: DnsRecords, ms: number): DnsRecords {
  const time = AbortSignal.timeout(ms)
  const ended = new Promise<null>((resolve) => time.addEventListener('abort', () => resolve(null)))
  return {
    find: async (type, name) => (time.aborted ? null : Promise.race([dns.find(type, name), ended])),
  }
}
