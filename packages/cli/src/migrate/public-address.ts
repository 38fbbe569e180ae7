import { lookup as lookUp } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

const blocked = new BlockList()
for (const range of [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
])
  addRange(range, 'ipv4')
// Addresses that lead to one of IPv4, and those of examples.
for (const range of ['2001::/32', '2001:db8::/32', '2002::/16']) addRange(range, 'ipv6')

/** The part of IPv6 that is assigned. */
const assigned = new BlockList()
assigned.addSubnet('2000::', 3, 'ipv6')

function addRange(range: string, family: 'ipv4' | 'ipv6'): void {
  const [network = '', length] = range.split('/')
  blocked.addSubnet(network, Number(length), family)
}

/** Returns whether an address of the Internet can be reached by anybody. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address)
  if (version === 4) return !blocked.check(address, 'ipv4')
  return version === 6 && assigned.check(address, 'ipv6') && !blocked.check(address, 'ipv6')
}

/** Returns the host as it is looked up: without the brackets of IPv6. */
export function hostOf({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
}

export const notPublic = 'NOT_PUBLIC'

/** Looks a host up, and fails when one of its addresses is not public: the connection goes to what was checked. */
export const lookUpPublic: LookupFunction = (host, options, done) => {
  lookUp(host, { ...options, all: true }, (error, found) => {
    if (error) return done(error, '', 0)
    if (!found.every(({ address }) => isPublicAddress(address))) {
      const refusal: NodeJS.ErrnoException = new Error('The host has an address that is not public')
      refusal.code = notPublic
      return done(refusal, '', 0)
    }
    if (options.all) return done(null, found)
    const [first] = found
    return done(null, first?.address ?? '', first?.family ?? 0)
  })
}
