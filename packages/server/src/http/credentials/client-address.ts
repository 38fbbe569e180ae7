import type { IncomingMessage } from 'node:http'

/**
 * The caller's address: the socket's, or the one that the outermost trusted proxy saw. `X-Forwarded-For`
 * is counted from the right, because everything further left was written by the caller. `Forwarded` is ignored: a proxy
 * that does not write it passes on what the caller wrote.
 */
export function clientAddress(req: IncomingMessage, trustProxyHops: number): string {
  const socketAddress = req.socket.remoteAddress ?? ''
  if (trustProxyHops === 0) return socketAddress
  const header = req.headers['x-forwarded-for']
  const forwarded = (Array.isArray(header) ? header.join(',') : (header ?? ''))
    .split(',')
    .map((part) => withoutPort(part.trim()))
  const hops = [...forwarded.filter(Boolean), socketAddress]
  return hops[Math.max(0, hops.length - 1 - trustProxyHops)] ?? socketAddress
}

const ipv4WithPort = /^(\d+\.\d+\.\d+\.\d+):\d+$/
const bracketedIpv6 = /^\[([^\]]+)\](?::\d+)?$/

/** Some proxies add the port of the connection, which is another one each time. */
function withoutPort(hop: string): string {
  return ipv4WithPort.exec(hop)?.[1] ?? bracketedIpv6.exec(hop)?.[1] ?? hop
}
