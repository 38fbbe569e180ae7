import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { brotliDecompressSync } from 'node:zlib'
import { type AnyOperation, Failure, getMe, notFound } from '@crmkit/core'
import express, { type RequestHandler, type Router } from 'express'
import type { Log, RequestLog } from '../../../ports/log.ts'
import type { Meters } from '../../../ports/meters.ts'
import { boundReplies } from '../../backpressure/bound-replies.ts'
import { sendInPieces } from '../../backpressure/pieces.ts'
import type { Authenticator } from '../../credentials/authenticate.ts'
import { authorize } from '../../credentials/authorize.ts'
import { clientAddress } from '../../credentials/client-address.ts'
import { type RequestLimits, tooManyRequests } from '../../pipeline/rate-limit.ts'
import { replyToError } from '../../response/handle-error.ts'
import { sendReply } from '../../response/send-reply.ts'
import { buildDocument } from './build-document.ts'

interface ApiDocsParts {
  operations: readonly AnyOperation[]
  authenticator: Authenticator
  limits: RequestLimits
  log: Log
  requestLog: RequestLog
  meters: Pick<Meters, 'errorReplied'>
  trustProxyHops: number
  /** Where clients reach the service; unset: where the page itself came from. */
  baseUrl: string | undefined
}

const prefix = '/api-docs'
const own = (name: string) => new URL(`./${name}`, import.meta.url)

/** The build compresses them beside this file; from the sources they come out of the package that makes them. */
function readRenderer(name: string): Buffer {
  const isSource = import.meta.url.endsWith('.ts')
  if (isSource) return readFileSync(new URL(import.meta.resolve(`swagger-ui-dist/${name}`)))
  return brotliDecompressSync(readFileSync(own(`${name}.br`)))
}

class Asset {
  readonly type: string
  readonly #read: () => Buffer
  #bytes: Buffer | undefined

  constructor(type: string, read: () => Buffer) {
    this.type = type
    this.#read = read
  }

  /** Read once and shared by all replies: a buffer for each would let unread replies fill the memory. */
  get bytes(): Buffer {
    this.#bytes ??= this.#read()
    return this.#bytes
  }
}

/** Every file that is served besides the document; no name of a request ever becomes part of a path. */
const assets: Readonly<Record<string, Asset>> = {
  '': new Asset('text/html; charset=utf-8', () => readFileSync(own('index.html'))),
  'api-docs.css': new Asset('text/css; charset=utf-8', () => readFileSync(own('api-docs.css'))),
  'api-docs.js': new Asset('text/javascript; charset=utf-8', () => readFileSync(own('api-docs.js'))),
  'swagger-ui.css': new Asset('text/css; charset=utf-8', () => readRenderer('swagger-ui.css')),
  'swagger-ui-bundle.js': new Asset('text/javascript; charset=utf-8', () =>
    readRenderer('swagger-ui-bundle.js'),
  ),
}

/** Nothing from another origin, no script or style of the page's own text, and no frame around it. */
const pageHeaders = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-cache',
}

/**
 * The live reference as ordinary routes: a static page with a sign-in form and no data, and the document, which needs a
 * session.
 */
export function createApiDocsPages(parts: ApiDocsParts): Router {
  const documents = new Map<string, string>()
  const documentFor = (serverUrl: string) => {
    const known = documents.get(serverUrl)
    if (known !== undefined) return known
    const text = JSON.stringify(buildDocument({ operations: parts.operations, serverUrl }))
    documents.set(serverUrl, text)
    return text
  }
  /** A page without a credential counts against the address of its caller. */
  const page = (respond: Page, isCounted = true): RequestHandler => {
    return boundReplies(async (req, res) => {
      const about = { requestId: randomUUID(), isLegacy: false, limit: undefined }
      const startedAt = performance.now()
      const request = { requestId: about.requestId, method: req.method ?? 'GET', path: `${prefix}/` }
      res.setHeader('X-Request-Id', request.requestId)
      res.once('close', () => {
        const ms = Math.round((performance.now() - startedAt) * 10) / 10
        parts.requestLog.note({ ...request, status: res.statusCode, ms })
      })
      try {
        if (isCounted) await countAgainstAddress(parts, req)
        if (req.method !== 'GET' && req.method !== 'HEAD') throw onlyGet()
        await respond(req, res, about)
      } catch (error) {
        sendReply(res, replyToError(error, { ...parts, request }), about)
      }
    }, parts)
  }
  const router = express.Router({ strict: true })
  router.all(
    prefix,
    page(async (_req, res) => redirect(res)),
  )
  router.all(
    `${prefix}/spec.json`,
    page(async (req, res, about) => {
      await assertSession(parts, req)
      sendReply(res, { status: 200, body: documentFor(parts.baseUrl ?? mountPathOf(req)) }, about)
    }, false),
  )
  router.all(
    `${prefix}/{*file}`,
    page(async (req, res) => sendAsset(res, fileOf(req))),
  )
  return router
}

/** From the URL: in a plain server Express's own getters are not there. */
function fileOf({ url = '' }: IncomingMessage): string {
  const [path = ''] = url.split('?', 1)
  return path.slice(prefix.length + 1)
}

interface AboutPage {
  requestId: string
  isLegacy: boolean
  limit: undefined
}

type Page = (req: IncomingMessage, res: ServerResponse, about: AboutPage) => Promise<void>

function onlyGet(): Failure {
  return new Failure('METHOD_NOT_ALLOWED', 'This path takes GET, HEAD', { headers: { Allow: 'GET, HEAD' } })
}

/** The page names its files relative to itself, so it needs the slash. Works under any mount path. */
function redirect(res: ServerResponse): void {
  res.writeHead(302, { Location: 'api-docs/', 'Content-Length': 0 }).end()
}

async function sendAsset(res: ServerResponse, name: string): Promise<void> {
  const asset = Object.hasOwn(assets, name) ? assets[name] : undefined
  if (asset === undefined) throw notFound()
  const { type, bytes } = asset
  res.writeHead(200, { ...pageHeaders, 'Content-Type': type, 'Content-Length': bytes.length })
  await sendInPieces(res, bytes)
}

async function countAgainstAddress(
  { limits, trustProxyHops }: ApiDocsParts,
  req: IncomingMessage,
): Promise<void> {
  assertWithin(await limits.takeAnonymous(clientAddress(req, trustProxyHops)))
}

/** Throws RATE_LIMIT_EXCEEDED. */
function assertWithin(state: Awaited<ReturnType<RequestLimits['take']>>): void {
  if (state?.isRefused) throw tooManyRequests(state)
}

/** Counted and checked as an operation for any session would be. */
async function assertSession(
  { authenticator, limits, trustProxyHops }: ApiDocsParts,
  req: IncomingMessage,
): Promise<void> {
  const address = clientAddress(req, trustProxyHops)
  const caller = await Promise.resolve()
    .then(() => authenticator.authenticate(req))
    .catch(async (error: unknown) => {
      assertWithin(await limits.takeAnonymous(address))
      throw error
    })
  assertWithin(await limits.take(caller, getMe, undefined))
  authorize(getMe.auth, caller.actor, address)
}

/** The path under which another app has mounted the service. */
function mountPathOf(req: IncomingMessage & { baseUrl?: string }): string {
  return req.baseUrl || '/'
}
