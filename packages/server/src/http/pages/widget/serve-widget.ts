import type { IncomingMessage, ServerResponse } from 'node:http'
import { notFound } from '@crmkit/core'
import express, { type Router } from 'express'
import { assertWidgetUsable, frameAncestors, getWidgetInbox } from '../../../features/widget/widget-inbox.ts'
import type { SystemStore } from '../../../ports/system-store.ts'
import { hashedCaching, type PackedFile, sendFile } from '../packed-file.ts'
import { type PageParts, servePage } from '../serve-page.ts'
import { createWidgetFiles } from './widget-files.ts'

interface WidgetParts extends PageParts {
  storage: { system: Pick<SystemStore, 'across' | 'findTenant'> }
}

/** A page of any origin loads the scripts, also one with `Cross-Origin-Embedder-Policy: require-corp`. */
const scriptHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'X-Content-Type-Options': 'nosniff',
}
const stubCaching = 'public, max-age=300'

/** The policy of the frame; the page around it must be one of `ancestors`. */
function framePolicy(ancestors: string): string {
  return [
    "default-src 'self'",
    "img-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${ancestors}`,
  ].join('; ')
}

function frameHeaders(ancestors: string): Record<string, string> {
  return {
    'Content-Security-Policy': framePolicy(ancestors),
    'Cross-Origin-Embedder-Policy': 'require-corp',
    // An embedding page with that policy demands this header of its frames.
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
  }
}

/** The files of the chat widget for the pages that embed it. Nothing here sets or reads a cookie. */
export function createWidgetPages(parts: WidgetParts): Router {
  const readFiles = createWidgetFiles()
  const page = (path: string, respond: (req: IncomingMessage, res: ServerResponse) => Promise<void>) =>
    servePage(parts, { path, respond, isCounted: false })
  const router = express.Router({ strict: true })
  router.all(
    '/widget/v1.js',
    page('/widget/v1.js', async (req, res) => {
      const { stub } = await readFiles()
      sendFile({ req, res, file: stub, headers: { ...scriptHeaders, 'Cache-Control': stubCaching } })
    }),
  )
  router.all(
    '/widget/v1/frame',
    page('/widget/v1/frame', (req, res) =>
      sendFrame(parts, { req, res, file: async () => (await readFiles()).frame }),
    ),
  )
  router.all(
    '/widget/{*file}',
    page('/widget/', async (req, res) => {
      const { hashed } = await readFiles()
      const file = hashed.get(nameOf(req))
      setAll(res, scriptHeaders)
      if (file === undefined) throw notFound()
      sendFile({ req, res, file, headers: { 'Cache-Control': hashedCaching } })
    }),
  )
  return router
}

function nameOf({ url = '' }: IncomingMessage): string {
  const [path = ''] = url.split('?', 1)
  return path.slice('/widget/'.length)
}

function setAll(res: ServerResponse, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
}

interface FrameRequest {
  req: IncomingMessage
  res: ServerResponse
  file: () => Promise<PackedFile>
}

/** The settings are read for each request, so that a change of the origins holds immediately. */
async function sendFrame({ storage }: WidgetParts, { req, res, file }: FrameRequest): Promise<void> {
  setAll(res, frameHeaders("'none'"))
  const key = new URL(req.url ?? '', 'http://localhost').searchParams.get('key') ?? ''
  const found = await getWidgetInbox(storage.system, key)
  assertWidgetUsable(found)
  sendFile({ req, res, file: await file(), headers: frameHeaders(frameAncestors(found.inbox)) })
}
