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

type Send = (mails: readonly KeptMail[], res: ServerResponse, about: AboutPage) => void

function page(parts: DevMailParts, send: Send): RequestHandler {
  return servePage(parts, {
    path: '/dev/mail',
    isCounted: false,
    respond: async (req, res, about) => {
      assertOwnMachine(req)
      send(parts.keptMail(), res, about)
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

/** The source of each mail, as text: nothing of a mail is run or loaded. */
function sendPage(mails: readonly KeptMail[], res: ServerResponse): void {
  const items = mails.map(({ number, at, envelope, raw }) => {
    const title = `${number}. ${at}: ${envelope.from} → ${envelope.to.join(', ')}`
    return `<details><summary>${escapeHtml(title)}</summary><pre>${escapeHtml(raw)}</pre></details>`
  })
  const content = items.length > 0 ? items.join('\n') : '<p>No mail was sent yet.</p>'
  const html = `<!doctype html><html lang="en"><title>Kept mail</title><h1>Kept mail</h1>${content}</html>`
  res.writeHead(200, { ...pageHeaders, 'Content-Type': 'text/html; charset=utf-8' })
  res.end(html)
}
