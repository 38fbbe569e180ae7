import { CrmError } from './errors.ts'
import type { QueryValue } from './route.ts'

/** The base without a slash at its end. Throws a CrmError when it is not an http(s) address. */
export function parseBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new CrmError('baseUrl must be an http(s) address such as https://crm.example.com')
  }
  // The message must not contain the address, because it holds a password.
  if (url.username !== '' || url.password !== '')
    throw new CrmError('baseUrl must not hold a user or a password')
  // bounded: the caller's own setting.
  const base = `${url.origin}${url.pathname}`.replace(/\/+$/, '')
  if (/\/api(\/v1)?$/.test(base)) throw new CrmError('baseUrl must be the address before /api')
  return base
}

/**
 * Fills the path's parameters. It refuses an empty id, which would address the collection, and `.` or `..`, which would
 * address another resource (URLs are resolved after decoding).
 */
export function fillPath(path: string, params: readonly string[] = []): string {
  let index = 0
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value: unknown = params[index++]
    if (typeof value !== 'string' || value === '' || value === '.' || value === '..') {
      throw new CrmError(`${name} must be an id: a text that is not empty, "." or ".."`)
    }
    return encodeURIComponent(value)
  })
}

/** JavaScript passes a Date where the types ask for its text. */
function textOf(value: unknown): string {
  return value instanceof Date ? value.toISOString() : String(value)
}

export function queryText(query: object | undefined): string {
  const pairs = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {}) as [string, QueryValue][]) {
    if (value === null || value === undefined) continue
    // Repeat the parameter for several values: a joined list could not hold a value with a comma.
    for (const item of Array.isArray(value) ? value : [value]) pairs.append(name, textOf(item))
  }
  const text = pairs.toString()
  return text === '' ? '' : `?${text}`
}
