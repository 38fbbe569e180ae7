import type { TestedDelivery } from '@crmkit/sdk'
import { cleanLine } from '../../output/clean-text.ts'

/** The request line and the headers, as HTTP/1.1 writes them. */
export function requestLines({ method, url, headers }: TestedDelivery['request']): string[] {
  const target = URL.parse(url)
  const requestLine = target ? `${method} ${target.pathname}${target.search} HTTP/1.1` : `${method} ${url}`
  const hasHost = Object.keys(headers).some((name) => name.toLowerCase() === 'host')
  const host: [string, string][] = target && !hasHost ? [['Host', target.host]] : []
  const headerLines = [...host, ...Object.entries(headers)].map(([name, value]) => `${name}: ${value}`)
  return [requestLine, ...headerLines].map(cleanLine)
}
