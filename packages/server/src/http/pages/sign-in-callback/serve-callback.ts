import type { IncomingMessage, ServerResponse } from 'node:http'
import { type MailProvider, mailProviderServers, mailProviders } from '@crmkit/core'
import { providerNames, remoteProviders } from '@crmkit/core/vocabulary'
import { mailCallbackPath } from '../../../features/inboxes/start-email-sign-in.ts'
import { callbackPath } from '../../../features/integrations/start-sign-in.ts'
import type { Connectors } from '../../../ports/connectors.ts'
import type { MailSignIns } from '../../../ports/mail-sign-in.ts'
import type { SecretBox } from '../../../ports/secret-box.ts'
import { isoTime } from '../../../shared/clock.ts'
import { escapeHtml } from '../../../shared/escape-html.ts'
import { VersionConflict } from '../../../storage/errors.ts'
import type { ApiHandler } from '../../pipeline/mount-operations.ts'
import type { RunParts } from '../../pipeline/run-handler.ts'
import { mountPathOf, type PageParts, pageHeaders, servePage } from '../serve-page.ts'
import { type ParkedGrant, receiveCode, type SignInProvider } from './receive-code.ts'

interface CallbackParts extends PageParts, Pick<RunParts, 'storage' | 'clock'> {
  secrets: SecretBox
  sources: Connectors
  mailSignIns: MailSignIns
}

const providerOfPath = new Map<string, SignInProvider>([
  ...remoteProviders.map((provider) => [callbackPath(provider), provider] as const),
  ...mailProviders.map((provider) => [mailCallbackPath(provider), provider] as const),
])

function isMailProvider(provider: SignInProvider): provider is MailProvider {
  return (mailProviders as readonly string[]).includes(provider)
}

const pathOf = (url: string) => url.split('?', 1)[0] ?? ''

/** The page to which an external CRM, or the provider of a mailbox, sends the browser after a grant. It shows only; the confirmation connects. */
function createSignInCallback(parts: CallbackParts, pattern: string): ApiHandler {
  return servePage(parts, {
    // The query holds the code, so the log gets the pattern.
    path: pattern,
    respond: async (req, res) => {
      const provider = providerOfPath.get(pathOf(req.url ?? ''))
      if (provider === undefined) throw new TypeError('Only callbacks are routed here')
      const query = new URLSearchParams((req.url ?? '').split('?')[1] ?? '')
      const grant = await park(parts, { provider, query, isHead: req.method === 'HEAD' })
      send({ parts, req, res }, grant === undefined ? refusedPage : grantPage(provider, grant))
    },
  })
}

/** The callbacks of sign-ins by their paths. They are no operations: a browser gets a page. */
export function createSignInCallbacks(parts: CallbackParts): Record<string, ApiHandler> {
  return Object.fromEntries(
    [...providerOfPath].map(([path, provider]) => [
      path,
      createSignInCallback(parts, path.replace(provider, '{provider}')),
    ]),
  )
}

interface Callback {
  provider: SignInProvider
  query: URLSearchParams
  /** A program that checks the address must not use up the state. */
  isHead: boolean
}

async function park(
  { storage, clock, secrets, sources, mailSignIns }: CallbackParts,
  { provider, query, isHead }: Callback,
): Promise<ParkedGrant | undefined> {
  const { system } = storage
  const forTenant = storage.forTenant.bind(storage)
  const ctx = { system, forTenant, secrets, now: isoTime(clock.nowMs()) }
  const accountsServer = isMailProvider(provider)
    ? mailSignIns.accountsServerOf(provider)
    : sources.signIns[provider].accountsServerOf(query)
  const { grant, change, tenantId } = await receiveCode(ctx, { provider, query, accountsServer })
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

function grantPage(provider: SignInProvider, { isDenied, host, tenantName, startedBy }: ParkedGrant): Page {
  const name = isMailProvider(provider) ? mailProviderServers[provider].name : providerNames[provider]
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
