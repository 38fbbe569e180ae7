import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import { hostOf, isPublicAddress, lookUpPublic, notPublic } from './public-address.ts'
import { reasonOf } from './source-client.ts'
import { sourceFailed } from './source-error.ts'
import { Patience } from './waits.ts'

export interface FileSourceOptions {
  readonly base: URL
  readonly headers: Readonly<Record<string, string>>
  /** Hosts, as `host:port`, that are reached wherever they are, and without TLS. */
  readonly namedHosts: ReadonlySet<string>
  /** A proxy looks hosts up itself. */
  readonly hasProxy: boolean
}

/** Bytes, or the reason why there are none. */
export type SourceFile = { readonly bytes: AsyncIterable<Uint8Array> } | { readonly missing: string }

type Tried =
  | SourceFile
  | { readonly redirect: URL }
  | {
      readonly again: string
      readonly headers?: IncomingMessage['headers']
      readonly isLimit?: boolean
      readonly isUnreachable?: boolean
    }

const redirectsMax = 3
const triesMax = 4
const silenceMs = 60_000

/**
 * Downloads files that a source names. Any text of the source could be such a name, so the credential goes to the
 * account's own host only, other hosts must have public addresses, and at most three redirects are followed.
 */
export class SourceFiles {
  readonly #options: FileSourceOptions

  constructor(options: FileSourceOptions) {
    this.#options = options
  }

  async open(address: string): Promise<SourceFile> {
    const url = URL.parse(address, this.#options.base.href)
    if (url === null) return { missing: 'its address is no URL' }
    const patience = new Patience(triesMax)
    for (;;) {
      const tried = await this.#followed(url)
      if (!('again' in tried)) return tried
      const end = await patience.end({ headers: headersOf(tried.headers), isLimit: tried.isLimit })
      if (end === 'failed' && tried.isUnreachable) throw sourceFailed(tried.again)
      if (end === 'failed') return { missing: tried.again }
      if (end === 'waited') return { missing: 'the source asked for more than an hour of waiting' }
    }
  }

  async #followed(first: URL): Promise<Exclude<Tried, { redirect: URL }>> {
    let url = first
    for (let redirects = 0; redirects <= redirectsMax; redirects += 1) {
      const tried = await this.#try(url)
      if (!('redirect' in tried)) return tried
      url = tried.redirect
    }
    return { missing: `it has more than ${redirectsMax} redirects` }
  }

  async #try(url: URL): Promise<Tried> {
    const refusal = this.#refusalOf(url)
    if (refusal !== undefined) return { missing: refusal }
    const isOwn = url.origin === this.#options.base.origin
    const isFree = isOwn || this.#isNamed(url) || this.#options.hasProxy
    try {
      const response = await this.#request(url, { isOwn, isFree })
      return answerOf(response, url)
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === notPublic)
        return { missing: 'its host has an address that is not public' }
      // Without its own host no file of the account can be read, and each would be called missing.
      if (isOwn) return { again: `The source could not be reached: ${reasonOf(error)}.`, isUnreachable: true }
      return { again: 'its host could not be reached' }
    }
  }

  #refusalOf(url: URL): string | undefined {
    if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'its address is no web address'
    if (url.username !== '' || url.password !== '') return 'its address holds a password'
    if (url.origin === this.#options.base.origin || this.#isNamed(url)) return undefined
    if (url.protocol !== 'https:') return 'its address is not encrypted'
    const host = hostOf(url)
    const isLocal = host === 'localhost' || host.endsWith('.localhost')
    if (isLocal || (isIP(host) !== 0 && !isPublicAddress(host)))
      return 'its host has an address that is not public'
    return undefined
  }

  #isNamed(url: URL): boolean {
    const port = url.port || (url.protocol === 'https:' ? '443' : '80')
    return this.#options.namedHosts.has(`${url.hostname}:${port}`)
  }

  #request(url: URL, { isOwn, isFree }: { isOwn: boolean; isFree: boolean }): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const send = url.protocol === 'https:' ? requestHttps : requestHttp
      const request = send(url, {
        headers: isOwn ? this.#options.headers : {},
        ...(isFree ? {} : { lookup: lookUpPublic }),
        timeout: silenceMs,
      })
      request.on('timeout', () => request.destroy(new Error('no response within a minute')))
      request.on('error', reject)
      request.on('response', resolve)
      request.end()
    })
  }
}

function headersOf(given: IncomingMessage['headers'] = {}): Headers {
  const headers = new Headers()
  for (const name of ['retry-after', 'x-ratelimit-reset'])
    if (typeof given[name] === 'string') headers.set(name, given[name])
  return headers
}

function answerOf(response: IncomingMessage, url: URL): Tried {
  const { statusCode: status = 0, headers } = response
  if (status === 200) return { bytes: response }
  response.resume()
  if (status >= 300 && status < 400) {
    const to = URL.parse(headers.location ?? '', url.href)
    return to === null ? { missing: 'it leads to no address' } : { redirect: to }
  }
  if (status === 429) return { again: 'the source limits requests', headers, isLimit: true }
  if (status >= 500 || status === 408) return { again: `the source answered with ${status}`, headers }
  return { missing: `the source answered with ${status}` }
}
