import type { IncomingMessage, ServerResponse } from 'node:http'
import { getHealth } from '@crmkit/core'
import type { RequestHandler } from 'express'
import { escapeHtml } from '../../../shared/escape-html.ts'
import { sendReply } from '../../response/send-reply.ts'
import { type AboutPage, mountPathOf, type PageParts, pageHeaders, servePage } from '../serve-page.ts'

interface LandingParts extends PageParts {
  version: string
  /** Resolves when the storage can be read and written. */
  ping(): Promise<void>
  /** Whether a browser is sent to the agents' console. */
  hasConsole: boolean
}

/**
 * The page at `/`: a browser is sent to the console, or gets a page that names the next steps, a program the same as
 * JSON.
 */
export function createLandingPage(parts: LandingParts): RequestHandler {
  return servePage(parts, { path: '/', respond: (req, res, about) => respond(parts, { req, res, about }) })
}

interface PageRequest {
  req: IncomingMessage
  res: ServerResponse
  about: AboutPage
}

async function respond(parts: LandingParts, { req, res, about }: PageRequest): Promise<void> {
  const base = parts.baseUrl ?? mountPathOf(req).replace(/\/$/, '')
  const isBrowser = accepts(req, 'text/html')
  if (isBrowser && parts.hasConsole) {
    const caching = { 'Cache-Control': 'no-cache', Vary: 'Accept' }
    res.writeHead(302, { ...caching, Location: `${base}/console/`, 'Content-Length': 0 }).end()
    return
  }
  const health = await parts.ping().then(
    () => 'ok',
    () => 'unavailable',
  )
  const links = {
    reference: `${base}/api-docs/`,
    document: `${base}/api-docs/spec.json`,
    health: base + getHealth.path,
  }
  if (!isBrowser) {
    const data = { service: 'crmkit', version: parts.version, status: health, ...links }
    sendReply(res, { status: 200, body: JSON.stringify({ success: true, data }) }, about)
    return
  }
  const address = parts.baseUrl ?? `http://${req.headers.host ?? 'localhost'}${base}`
  const html = pageOf({
    version: parts.version,
    health,
    links,
    address,
    style: `${base}/api-docs/api-docs.css`,
  })
  const length = Buffer.byteLength(html)
  res.writeHead(200, {
    ...pageHeaders,
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': length,
    Vary: 'Accept',
  })
  res.end(req.method === 'HEAD' ? undefined : html)
}

/** Browsers name the type; programs accept anything. */
function accepts(req: IncomingMessage, type: string): boolean {
  return (req.headers.accept ?? '').includes(type)
}

interface Landing {
  version: string
  health: string
  links: { reference: string; health: string }
  /** For the commands. It may hold the request's Host header. */
  address: string
  style: string
}

function pageOf({ version, health, links, address, style }: Landing): string {
  const [base, reference, healthPath, css] = [address, links.reference, links.health, style].map(escapeHtml)
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>crmkit</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="${css}" />
  </head>
  <body>
    <header><strong>crmkit</strong> <span>version ${escapeHtml(version)}</span> <span>storage: ${health}</span></header>
    <main class="landing">
      <h1>The service is running</h1>
      <p><a href="${reference}">API reference</a> (sign in to read it and to try requests) · <a href="${healthPath}">health</a></p>
      <h2>Next, in a terminal</h2>
      <pre>crm init --base-url ${base}
crm customers create --first-name Ada --email ada@example.com
crm webhooks listen --forward http://localhost:4000/hook</pre>
      <p>In a clone of the repository, write <code>npm run crm --</code> instead of <code>crm</code>.</p>
    </main>
  </body>
</html>
`
}
