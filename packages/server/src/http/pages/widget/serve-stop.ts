import type { IncomingMessage, ServerResponse } from 'node:http'
import { notFound } from '@crmkit/core'
import express, { type Router } from 'express'
import { stopMail } from '../../../features/widget/stop-mail.ts'
import { findMailTags } from '../../../mail/addresses/mail-key.ts'
import { parseStopLink, stopLinkPrefix } from '../../../mail/out/stop-link.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { SecretBox } from '../../../ports/secret-box.ts'
import type { Storage } from '../../../ports/storage.ts'
import { type PageParts, pageHeaders, servePage } from '../serve-page.ts'

interface StopParts extends PageParts {
  storage: Pick<Storage, 'forTenant'> & { system: Pick<Storage['system'], 'findTenant'> }
  secrets: SecretBox
  clock: Clock
}

const headers = {
  ...pageHeaders,
  'Content-Security-Policy': pageHeaders['Content-Security-Policy'].replace(
    "form-action 'none'",
    "form-action 'self'",
  ),
  'Cache-Control': 'no-store',
  'Content-Type': 'text/html; charset=utf-8',
}

const question =
  '<p>Get no more mail about this chat?</p><form method="post"><button type="submit">Stop this mail</button></form>'
const done = '<p>You get no more mail about this chat.</p>'

function pageOf(body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Mail about a chat</title><link rel="icon" href="data:,"></head>
<body><main><h1>Mail about a chat</h1>${body}</main></body></html>
`
}

/**
 * The page behind the link that ends the mail about a chat. GET changes nothing, because programs follow the links of a mail; POST is
 * the button of the page and the button of a mail program (RFC 8058). The signed link is no credential for anything else.
 */
export function createStopPages(parts: StopParts): Router {
  const router = express.Router({ strict: true })
  router.all(
    `${stopLinkPrefix}{*link}`,
    servePage(parts, {
      path: stopLinkPrefix,
      methods: ['GET', 'HEAD', 'POST'],
      respond: (req, res) => respond(parts, req, res),
    }),
  )
  return router
}

async function respond(
  { storage, secrets, clock }: StopParts,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const [path = ''] = (req.url ?? '').split('?', 1)
  const named = parseStopLink(path.slice(stopLinkPrefix.length))
  const tenant = named && (await storage.system.findTenant(named.tenantId))
  if (named === undefined || tenant === undefined) throw notFound()
  const store = storage.forTenant(tenant.tenantId)
  const tags = await findMailTags(store, secrets)
  if (tags?.isStopTag(named.tag, named.conversationId, named.mark) !== true) throw notFound()
  if (req.method === 'POST') await stopMail(store, named, clock.nowMs())
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
  res.end(pageOf(req.method === 'POST' ? done : question))
}
