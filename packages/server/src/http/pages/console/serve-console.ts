import type { IncomingMessage, ServerResponse } from 'node:http'
import { notFound } from '@crmkit/core'
import express, { type Router } from 'express'
import { hashedCaching, htmlType, packFile, sendFile } from '../packed-file.ts'
import { type PageParts, servePage } from '../serve-page.ts'
import { type ConsoleFiles, createConsoleFiles } from './console-files.ts'

const prefix = '/console/'
const assets = `${prefix}assets/`

/** Files of messages are read with the credential and shown as `blob:`; nothing comes from another origin. */
const consolePolicy = [
  "default-src 'self'",
  "img-src 'self' blob: data:",
  'media-src blob:',
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const shared = { 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer' }

/**
 * The HTML of a mail is shown in an origin of its own, where only the script with this hash runs. No image of another server
 * is loaded unless the reader asks for them, because it would report to the sender that the mail was read.
 */
function mailFramePolicy(scriptHash: string, { hasImages }: { hasImages: boolean }): string {
  return [
    'sandbox allow-scripts',
    "default-src 'none'",
    `script-src 'sha256-${scriptHash}'`,
    "style-src 'unsafe-inline'",
    `img-src data: blob:${hasImages ? ' https: http:' : ''}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join('; ')
}

/**
 * The agents' console. It is static: it holds no data and reads no credential, because its script calls the API as any
 * other client does.
 */
export function createConsolePages(parts: PageParts): Router {
  const readFiles = createConsoleFiles()
  const page = (path: string, respond: (req: IncomingMessage, res: ServerResponse) => Promise<void>) =>
    servePage(parts, { path, respond, isCounted: false })
  const router = express.Router({ strict: true })
  router.all(
    '/console',
    page('/console', async (_req, res) => {
      // Relative, so that it holds under any mount path and behind any proxy.
      res.writeHead(302, { ...shared, Location: 'console/', 'Content-Length': 0 }).end()
    }),
  )
  router.all(
    `${assets}{*file}`,
    page(assets, async (req, res) => {
      const file = (await readFiles()).hashed.get(pathOf(req).slice(assets.length))
      if (file === undefined) throw notFound()
      sendFile({ req, res, file, headers: { ...shared, 'Cache-Control': hashedCaching } })
    }),
  )
  router.all(
    `${prefix}mail-frame`,
    page(`${prefix}mail-frame`, async (req, res) => sendMailFrame(await readFiles(), req, res)),
  )
  router.all(
    `${prefix}{*screen}`,
    page(prefix, async (req, res) => {
      const file = packFile(pageFor(await readFiles(), pathOf(req)), htmlType)
      const policy = { 'Content-Security-Policy': consolePolicy, 'Cross-Origin-Opener-Policy': 'same-origin' }
      sendFile({ req, res, file, headers: { ...shared, ...policy, 'Cache-Control': 'no-cache' } })
    }),
  )
  return router
}

/** The same page, whose images are loaded. */
const imagesQuery = '?images'

function sendMailFrame(files: ConsoleFiles, req: IncomingMessage, res: ServerResponse): void {
  const hasImages = req.url?.endsWith(imagesQuery) === true
  const policy = mailFramePolicy(files.mailFrameScriptHash, { hasImages })
  const headers = { ...shared, 'Content-Security-Policy': policy, 'Cache-Control': 'no-cache' }
  sendFile({ req, res, file: files.mailFrame, headers })
}

function pathOf({ url = '' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? ''
}

/** Every screen has the same page: only the way from its address to the assets differs. */
function pageFor({ page }: ConsoleFiles, path: string): string {
  const depth = path.slice(prefix.length).split('/').length - 1
  return page.replaceAll('ASSETS/', `${'../'.repeat(depth)}assets/`)
}
