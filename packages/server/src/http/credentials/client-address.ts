import type { IncomingMessage } from 'node:http'
import { type BlockList, isIP, isIPv6 } from 'node:net'

/** How many proxies are in front, or the networks that they are in. */
export type TrustedProxies = number | BlockList

export function hasProxy(trusted: TrustedProxies): boolean {
  return trusted !== 0
}

/**
 * The caller's address: the socket's, or the one that the outermost trusted proxy saw. `X-Forwarded-For`
 * is read from the right, because everything further left was written by the caller. `Forwarded` is ignored: a proxy
 * that does not write it passes on what the caller wrote.
 */
export function clientAddress(req: IncomingMessage, trusted: TrustedProxies): string {
  const socketAddress = req.socket.remoteAddress ?? ''
  if (trusted === 0) return socketAddress
  const header = req.headers['x-forwarded-for']
  const forwarded = (Array.isArray(header) ? header.join(',') : (header ?? ''))
    .split(',')
    .map((part) => withoutPort(part.trim()))
  const hops = [...forwarded.filter(Boolean), socketAddress]
  if (typeof trusted === 'number') return hops[Math.max(0, hops.length - 1 - trusted)] ?? socketAddress
  return hops.findLast((hop) => !isWithin(trusted, hop)) ?? hops[0] ?? socketAddress
}

/** A hop that is no address is in no network. */
function isWithin(networks: BlockList, hop: string): boolean {
  return isIP(hop) > 0 && networks.check(hop, isIPv6(hop) ? 'ipv6' : 'ipv4')
}

const ipv4WithPort = /^(\d+\.\d+\.\d+\.\d+):\d+$/
const bracketedIpv6 = /^\[([^\]]+)\](?::\d+)?$/

/** Some proxies add the port of the connection, which is another one each time. */
function withoutPort(hop: string): string {
  return ipv4WithPort.exec(hop)?.[1] ?? bracketedIpv6.exec(hop)?.[1] ?? hop
}
