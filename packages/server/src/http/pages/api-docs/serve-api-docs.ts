import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { brotliDecompressSync } from 'node:zlib'
import { type AnyOperation, me, notFound } from '@crmkit/core'
import express, { type Router } from 'express'
import { sendInPieces } from '../../backpressure/pieces.ts'
import type { Authenticator } from '../../credentials/authenticate.ts'
import { authorize } from '../../credentials/authorize.ts'
import { clientAddress } from '../../credentials/client-address.ts'
import { packReply } from '../../response/pack-reply.ts'
import { sendReply } from '../../response/send-reply.ts'
import { assertWithin, mountPathOf, type PageParts, pageHeaders, servePage } from '../serve-page.ts'
import { buildDocument } from './build-document.ts'

interface ApiDocsParts extends PageParts {
  operations: readonly AnyOperation[]
  authenticator: Authenticator
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

/**
 * The live reference as ordinary routes: a static page with a sign-in form and no data, and the document, which needs a
 * credential.
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
  const page = (respond: Parameters<typeof servePage>[1]['respond'], isCounted = true) =>
    servePage(parts, { path: `${prefix}/`, respond, isCounted })
  const router = express.Router({ strict: true })
  router.all(
    prefix,
    page(async (_req, res) => redirect(res)),
  )
  router.all(
    `${prefix}/spec.json`,
    page(async (req, res, about) => {
      await assertCredential(parts, req)
      const reply = { status: 200, body: documentFor(parts.baseUrl ?? mountPathOf(req)) }
      sendReply(res, await packReply({ req, res }, reply), about)
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

/** Counted and checked as an operation for any credential would be. */
async function assertCredential(
  { authenticator, limits, trustedProxies }: ApiDocsParts,
  req: IncomingMessage,
): Promise<void> {
  const address = clientAddress(req, trustedProxies)
  const caller = await Promise.resolve()
    .then(() => authenticator.authenticate(req))
    .catch(async (error: unknown) => {
      assertWithin(await limits.takeAnonymous(address))
      throw error
    })
  assertWithin(await limits.take(caller, me, undefined))
  authorize(me.auth, caller.actor, { address })
}
