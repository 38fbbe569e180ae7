import { hash } from 'node:crypto'
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** The number of bits before the IPv4 address in an IPv6 address such as `::ffff:192.0.2.1`. */
const mappedBits = 96

/** Parses an address or a CIDR block; returns undefined for other texts. An IPv4 block in IPv6 form counts as IPv4. */
export function parseBlock(entry: string): [Address, number] | undefined {
  const [text = '', bits, ...rest] = entry.split('/')
  const address = parseAddress(text)
  if (address === undefined || rest.length > 0) return undefined
  const bitsMax = address.kind() === 'ipv4' ? 32 : 128
  if (bits === undefined) return inOwnForm(address, bitsMax)
  if (!/^\d{1,3}$/.test(bits) || Number(bits) > bitsMax) return undefined
  return inOwnForm(address, Number(bits))
}

/** Accepts IPv4 with four decimal parts only: some parsers read 010.1 and 2130706433 as addresses, people as typing errors. */
function parseAddress(text: string): Address | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text)
  // A zone has a meaning on one machine only.
  return ipaddr.IPv6.isValid(text) && !text.includes('%') ? ipaddr.IPv6.parse(text) : undefined
}

function inOwnForm(address: Address, bits: number): [Address, number] {
  if (address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits >= mappedBits) {
    return [address.toIPv4Address(), bits - mappedBits]
  }
  return [address, bits]
}

/** A network of an IPv6 address that may belong to one customer. */
export interface Network {
  name: string
  prefix: '/56' | '/48'
}

export interface AddressGroup {
  /** An IPv4 address, or the /64 network that one IPv6 connection is given. */
  name: string
  /** The networks around a /64; none around an IPv4 address. */
  networks: readonly Network[]
}

const networkBits: Readonly<Record<'/64' | Network['prefix'], number>> = { '/64': 64, '/56': 56, '/48': 48 }

function networkName(address: ipaddr.IPv6, prefix: keyof typeof networkBits): string {
  const bits = networkBits[prefix]
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/${bits}`).toString()}${prefix}`
}

/** Returns the group of addresses that count as one caller. */
export function addressGroup(address: string): AddressGroup {
  if (!address.includes(':') || !ipaddr.isValid(address)) return { name: address, networks: [] }
  const parsed = ipaddr.process(address)
  if (!(parsed instanceof ipaddr.IPv6)) return { name: parsed.toString(), networks: [] }
  const networks = (['/56', '/48'] as const).map((prefix) => ({ name: networkName(parsed, prefix), prefix }))
  return { name: networkName(parsed, '/64'), networks }
}

/** Returns the name of the widest group that may be one customer. */
export function customerOf(address: string): string {
  const { name, networks } = addressGroup(address)
  return networks.at(-1)?.name ?? name
}

/** Returns whether an address is in the list or in one of its blocks. */
export function isAddressIn(address: string, list: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  return list.some((entry) => {
    const block = parseBlock(entry)
    return block !== undefined && block[0].kind() === parsed.kind() && parsed.match(block)
  })
}

const privateRanges: ReadonlySet<string> = new Set([
  'private',
  'loopback',
  'linkLocal',
  'uniqueLocal',
  'carrierGradeNat',
])

/**
 * Returns a number up to 255 that is the same for the same private address; null for an address of the internet. It shows whether many
 * requests came from one machine of the operator's own network, such as a proxy, and names nobody.
 */
export function privateAddressMark(address: string): number | null {
  if (!ipaddr.isValid(address)) return null
  const parsed = ipaddr.process(address)
  return privateRanges.has(parsed.range()) ? (hash('sha256', parsed.toString(), 'buffer')[0] ?? 0) : null
}
