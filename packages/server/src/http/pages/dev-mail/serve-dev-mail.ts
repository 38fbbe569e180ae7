import type { IncomingMessage, ServerResponse } from 'node:http'
import { Failure } from '@crmkit/core'
import express, { type RequestHandler, type Router } from 'express'
import type { KeptMail } from '../../../ports/mail-sender.ts'
import { escapeHtml } from '../../../shared/escape-html.ts'
import { sendReply } from '../../response/send-reply.ts'
import { type AboutPage, type PageParts, pageHeaders, servePage } from '../serve-page.ts'

interface DevMailParts extends PageParts {
  keptMail: () => readonly KeptMail[]
}

/** The mail that a developer's machine has kept: `/dev/mail` for people and `/dev/mail.json` for tests. */
export function createDevMailPages(parts: DevMailParts): Router {
  const router = express.Router()
  router.use('/dev/mail.json', page(parts, sendJson))
  router.use('/dev/mail', page(parts, sendPage))
  return router
}

type Send = (mails: readonly KeptMail[], res: ServerResponse, about: AboutPage) => void | Promise<void>

function page(parts: DevMailParts, send: Send): RequestHandler {
  return servePage(parts, {
    path: '/dev/mail',
    isCounted: false,
    respond: async (req, res, about) => {
      assertOwnMachine(req)
      await send(parts.keptMail(), res, about)
    },
  })
}

/** A page of another origin could read the mail through a name of its own that leads to this machine. */
function assertOwnMachine({ headers: { host = '' } }: IncomingMessage): void {
  const name = URL.parse(`http://${host}`)?.hostname ?? ''
  if (!/^(localhost|127(\.\d+){3}|\[::1\])$/.test(name))
    throw new Failure('PERMISSION_DENIED', 'This page is shown on its own machine only')
}

function sendJson(mails: readonly KeptMail[], res: ServerResponse, about: AboutPage): void {
  sendReply(res, { status: 200, body: JSON.stringify({ success: true, data: mails }) }, about)
}

/** Each mail as its receiver reads it, and its source. Nothing of a mail is run or loaded. */
async function sendPage(mails: readonly KeptMail[], res: ServerResponse): Promise<void> {
  const items = await Promise.all(mails.map(itemOf))
  const content = items.length > 0 ? items.join('\n') : '<p>No mail was sent yet.</p>'
  const html = `<!doctype html><html lang="en"><title>Kept mail</title><h1>Kept mail</h1>${content}</html>`
  res.writeHead(200, { ...pageHeaders, 'Content-Type': 'text/html; charset=utf-8' })
  res.end(html)
}

async function itemOf({ number, at, envelope, raw }: KeptMail, index: number): Promise<string> {
  // A service that sends its mail never loads the parser into its own process.
  const { readMail } = await import('../../../mail/parse/read-mail.ts')
  const { facts } = await readMail(Buffer.from(raw))
  const { from, to, cc, replyTo, subject, content, contentType, files } = facts
  const fields = [
    ['From', from],
    ['To', to],
    ['Cc', cc],
    ['Reply-To', replyTo],
  ] as const
  const lines = fields
    .filter(([, list]) => list.length > 0)
    .map(([name, list]) => `${name}: ${list.map(mailboxOf).join(', ')}`)
  const names = files.map(({ filename, contentType: type, size }) => `${filename ?? type} (${size} bytes)`)
  const title = `${number}. ${at}: ${envelope.from} → ${envelope.to.join(', ')}: ${subject}`
  const body =
    contentType === 'html'
      ? `<iframe sandbox width="100%" height="240" title="Content" srcdoc="${escapeHtml(content)}"></iframe>`
      : `<pre>${escapeHtml(content)}</pre>`
  return [
    // The newest mail is the first one, and the one that a developer waits for.
    `<details${index === 0 ? ' open' : ''}><summary>${escapeHtml(title)}</summary>`,
    `<p>${lines.map(escapeHtml).join('<br>')}</p>`,
    body,
    ...(names.length > 0 ? [`<p>Files: ${escapeHtml(names.join(', '))}</p>`] : []),
    `<details><summary>Source</summary><pre>${escapeHtml(raw)}</pre></details></details>`,
  ].join('\n')
}

function mailboxOf({ name, address }: { name: string | null; address: string }): string {
  return name === null ? address : `${name} <${address}>`
}
