import ipaddr from 'ipaddr.js'
import type { CheckDestination } from '../../ports/http-sender.ts'

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Cidr = [Address, number]

export interface DestinationRules {
  /** Private ranges that are allowed anyway, e.g. `127.0.0.0/8`. */
  allowCidrs?: readonly string[]
  allowHttp?: boolean
}

/** The only check of a delivery's destination: at create, update, test and every connect. */
export interface DestinationGuard {
  /** Checks a URL as text; a host name is checked again by the addresses that it resolves to. */
  checkDestination: CheckDestination
  isAllowedAddress(address: string): boolean
  /** Returns whether this address is allowed by `allowCidrs` alone. */
  isPrivatelyAllowed(address: string): boolean
}

// Clouds hand out credentials here (169.254.169.254, fd00:ec2::254) or control the machine (Azure's
// 168.63.129.16, a public address), so no setting allows them.
const neverAllowed = ['169.254.0.0/16', 'fd00:ec2::/32', '168.63.129.16/32'].map((cidr) =>
  ipaddr.parseCIDR(cidr),
)
// The part of IPv6 that is assigned as global unicast; ipaddr.js calls the unassigned rest unicast too.
const globalUnicast = ipaddr.parseCIDR('2000::/3')

export function createDestinationGuard({
  allowCidrs = [],
  allowHttp = false,
}: DestinationRules): DestinationGuard {
  const allowed = allowCidrs.map((cidr) => ipaddr.parseCIDR(cidr))
  const isPrivatelyAllowed = (text: string) => {
    const address = parseAddress(text)
    return address !== undefined && !isNeverAllowed(address) && isIn(address, allowed)
  }
  const isAllowedAddress = (text: string) => isPublicAddress(text) || isPrivatelyAllowed(text)
  const isAllowedHost = (host: string) => {
    if (isLocalhost(host)) return isPrivatelyAllowed('127.0.0.1') || isPrivatelyAllowed('::1')
    return !ipaddr.isValid(host) || isAllowedAddress(host)
  }
  return {
    isPrivatelyAllowed,
    isAllowedAddress,
    checkDestination: (text) => {
      const url = parseStrictUrl(text)
      if (url === undefined) return { message: 'must be an absolute URL', rule: 'url' }
      if (url.username !== '' || url.password !== '' || authorityOf(text).includes('@')) {
        return { message: 'must not hold a user name or password', rule: 'url' }
      }
      if (url.protocol !== 'https:' && !(allowHttp && url.protocol === 'http:')) {
        return { message: 'must be an https URL', rule: 'url' }
      }
      if (!isAllowedPort(url)) return { message: 'must use port 443 or one from 1024', rule: 'destination' }
      if (!isAllowedHost(hostOf(url)))
        return { message: 'must lead to a public address', rule: 'destination' }
      return undefined
    },
  }
}

/** Returns the host as it is looked up: without the brackets of IPv6 and without trailing dots. */
export function hostOf(url: URL): string {
  // bounded: an address of a webhook has 2,048 characters.
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '')
}

// The WHATWG parser turns every odd spelling of an IPv4 address (decimal, octal, hex, short, full-width
// digits, percent-encoded) into the dotted form. Other texts that it repairs silently are refused here,
// because another parser may read them as another host.
function parseStrictUrl(text: string): URL | undefined {
  if (!/^https?:\/\/[^/\\?#]/i.test(text) || /[\s\\\p{Cc}]/u.test(text)) return undefined
  const url = URL.parse(text)
  return url === null || hostOf(url) === '' ? undefined : url
}

function authorityOf(text: string): string {
  return /^[a-z]+:\/\/([^/?#]*)/i.exec(text)?.[1] ?? ''
}

function isAllowedPort(url: URL): boolean {
  if (url.port === '') return true
  const port = Number(url.port)
  return port >= 1024 || port === 443
}

/** Returns whether the name means this machine without a look-up. */
export function isLocalhost(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost')
}

/** Returns undefined for a text that is no address, and for an address with a zone, which is valid on one machine only. */
function parseAddress(text: string): Address | undefined {
  return ipaddr.isValid(text) && !text.includes('%') ? ipaddr.parse(text) : undefined
}

function isPublicAddress(text: string): boolean {
  const address = parseAddress(text)
  if (address === undefined || isNeverAllowed(address) || address.range() !== 'unicast') return false
  return address.kind() === 'ipv4' || isIn(address, [globalUnicast])
}

function isNeverAllowed(address: Address): boolean {
  const inner = address instanceof ipaddr.IPv6 ? embeddedIpv4(address) : undefined
  return isIn(address, neverAllowed) || (inner !== undefined && isIn(inner, neverAllowed))
}

function isIn(address: Address, cidrs: readonly Cidr[]): boolean {
  return cidrs.some((cidr) => cidr[0].kind() === address.kind() && address.match(cidr))
}

/** Returns the IPv4 address that a translating network would connect to. */
function embeddedIpv4(address: ipaddr.IPv6): ipaddr.IPv4 | undefined {
  const bytes = address.toByteArray()
  if (bytes.slice(0, 12).every((byte) => byte === 0)) return new ipaddr.IPv4(bytes.slice(12))
  switch (address.range()) {
    case 'ipv4Mapped':
    case 'rfc6145':
    case 'rfc6052':
      return new ipaddr.IPv4(bytes.slice(12))
    case '6to4':
      return new ipaddr.IPv4(bytes.slice(2, 6))
    default:
      return undefined
  }
}
