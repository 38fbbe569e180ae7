import autocannon from 'autocannon'
import type { Service } from './service.ts'

const connections = 16

interface Sent {
  method?: 'GET' | 'POST' | 'PUT'
  /** The path of the n-th request; n grows over all of a service's requests. */
  path: string | ((index: number) => string)
  body?: (index: number) => unknown
  token?: string
  rawBody?: (index: number) => string
  contentType?: string
}

/** Sends this many requests, 16 at a time, and throws unless each succeeds. */
export type SendMany = (units: number) => Promise<void>

/** Counts its requests, so that no two are equal where the path or the body holds the number. */
export function requestsOf(service: Service, sent: Sent): SendMany {
  const { method = 'GET', path, body, rawBody, contentType = 'application/json' } = sent
  let index = 0
  const base = new URL(service.url).pathname.replace(/\/$/, '')
  const headers = {
    authorization: `Bearer ${sent.token ?? service.owner.token}`,
    ...((body ?? rawBody) && { 'content-type': contentType }),
  }
  const setupRequest = (request: autocannon.Request): autocannon.Request => {
    const n = index++
    const text = rawBody?.(n) ?? (body && JSON.stringify(body(n)))
    const at = base + (typeof path === 'string' ? path : path(n))
    return { ...request, path: at, ...(text !== undefined && { body: text }) }
  }
  return async (units) => {
    const result = await autocannon({
      url: service.url,
      connections: Math.min(connections, units),
      amount: units,
      requests: [{ method, headers, setupRequest }],
    })
    if (result['2xx'] < units) {
      const example = await fetch(service.url + (typeof path === 'string' ? path : path(index)), { headers })
      throw new Error(
        `${service.tree.name}: ${units - result['2xx']} of ${units} requests failed (${example.status})`,
      )
    }
  }
}
