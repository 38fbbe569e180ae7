import type { IncomingMessage, ServerResponse } from 'node:http'
import { providerNames, remoteProviders } from '@crmkit/core/vocabulary'
import { type ParkedGrant, receiveCode } from '../../../features/integrations/receive-code.ts'
import { callbackPath, providerOfCallback } from '../../../features/integrations/start-sign-in.ts'
import type { RemoteProvider } from '../../../ports/connector-http.ts'
import type { Connectors } from '../../../ports/connectors.ts'
import type { SecretBox } from '../../../ports/secret-box.ts'
import { isoTime } from '../../../shared/clock.ts'
import { escapeHtml } from '../../../shared/escape-html.ts'
import { VersionConflict } from '../../../storage/errors.ts'
import type { ApiHandler } from '../../pipeline/mount-operations.ts'
import type { RunParts } from '../../pipeline/run-handler.ts'
import { mountPathOf, type PageParts, pageHeaders, servePage } from '../serve-page.ts'

interface CallbackParts extends PageParts, Pick<RunParts, 'storage' | 'clock'> {
  secrets: SecretBox
  sources: Connectors
}

/** The callbacks of sign-ins are no operations: a browser gets a page. */
export const signInCallbackPaths = remoteProviders.map(callbackPath)

const pathOf = (url: string) => url.split('?', 1)[0] ?? ''

/** The page to which an external CRM sends the browser after a grant. It shows only; the confirmation connects. */
export function createSignInCallback(parts: CallbackParts): ApiHandler {
  return servePage(parts, {
    // The query holds the code, so the log gets the pattern.
    path: '/api/extcrm/oauth/{provider}/callback',
    respond: async (req, res) => {
      const provider = providerOfCallback(pathOf(req.url ?? ''))
      if (provider === undefined) throw new TypeError('Only callbacks are routed here')
      const query = new URLSearchParams((req.url ?? '').split('?')[1] ?? '')
      const grant = await park(parts, { provider, query, isHead: req.method === 'HEAD' })
      send({ parts, req, res }, grant === undefined ? refusedPage : grantPage(provider, grant))
    },
  })
}

interface Callback {
  provider: RemoteProvider
  query: URLSearchParams
  /** A program that checks the address must not use up the state. */
  isHead: boolean
}

async function park(
  { storage, clock, secrets, sources }: CallbackParts,
  { provider, query, isHead }: Callback,
): Promise<ParkedGrant | undefined> {
  const { system } = storage
  const forTenant = storage.forTenant.bind(storage)
  const ctx = { system, forTenant, secrets, sources, now: isoTime(clock.nowMs()) }
  const { grant, change, tenantId } = await receiveCode(ctx, { provider, query })
  if (change === undefined || tenantId === undefined || isHead) return grant
  try {
    await forTenant(tenantId).commit(change)
    return grant
  } catch (error) {
    // Another callback of the same state was faster.
    if (error instanceof VersionConflict) return undefined
    throw error
  }
}

interface Page {
  status: 200 | 400
  title: string
  lines: readonly string[]
}

const refusedPage: Page = {
  status: 400,
  title: 'This sign-in cannot go on',
  lines: [
    'It is over, was used already, or does not belong to this service.',
    'Start again where you began.',
  ],
}

function grantPage(provider: RemoteProvider, { isDenied, host, tenantName, startedBy }: ParkedGrant): Page {
  const name = providerNames[provider]
  if (isDenied) {
    const lines = [`${name} (${host}) reports that access was not granted.`, 'Nothing was connected.']
    return { status: 200, title: 'Access was not granted', lines }
  }
  const lines = [
    `${name} (${host}) has granted access for the tenant ${tenantName}.`,
    `${startedBy} started this sign-in, and the account is connected when ${startedBy} confirms it there.`,
    'If you do not know this person, remove the access again at the source.',
  ]
  return { status: 200, title: 'Access was granted', lines }
}

interface Exchange {
  parts: CallbackParts
  req: IncomingMessage
  res: ServerResponse
}

function send({ parts, req, res }: Exchange, page: Page): void {
  const base = parts.baseUrl ?? mountPathOf(req).replace(/\/$/, '')
  const html = htmlOf(page, `${base}/api-docs/api-docs.css`)
  res.writeHead(page.status, {
    ...pageHeaders,
    'Cache-Control': 'no-store',
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': Buffer.byteLength(html),
  })
  res.end(req.method === 'HEAD' ? undefined : html)
}

function htmlOf({ title, lines }: Page, style: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>crmkit</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="${escapeHtml(style)}" />
  </head>
  <body>
    <header><strong>crmkit</strong></header>
    <main class="landing">
      <h1>${escapeHtml(title)}</h1>
${lines.map((line) => `      <p>${escapeHtml(line)}</p>`).join('\n')}
    </main>
  </body>
</html>
`
}
