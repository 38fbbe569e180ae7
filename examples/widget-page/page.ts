// A shop of another origin with the chat widget and a sign-in of its own. Its server signs the user of the running session,
// so the agent knows who asks, and nobody can ask in another's name.
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { signWidgetUser } from '@crmkit/sdk/widget'

const crm = process.env['CRM_BASE_URL'] ?? 'http://127.0.0.1:3000'
const port = process.env['PORT'] ?? '4300'
const key = process.env['WIDGET_KEY']
const secretFile = process.env['WIDGET_SECRET_FILE']
if (key === undefined || secretFile === undefined) {
  console.error(`WIDGET_KEY and WIDGET_SECRET_FILE are missing. Make them once:
  npm run crm -- inboxes create --name Web --channel chat --widget on --widget-origins http://localhost:${port}
  npm run crm -- inboxes widget-secret INBOX_ID --secret-file widget.secret
  WIDGET_KEY=wpk_… WIDGET_SECRET_FILE=widget.secret npm run example widget-page
"npm run crm -- inboxes get INBOX_ID --json widget.publicKey" shows the key.`)
  process.exit(1)
}
const secret = readFileSync(secretFile, 'utf8').trim()

/** The shop's own users; a real shop would ask for a password. */
const users = new Map([
  ['ada', { userId: 'ada', name: 'Ada Byron', email: 'ada@example.com' }],
  ['grace', { userId: 'grace', name: 'Grace Hopper', email: 'grace@example.com' }],
])
/** Session cookie → user. */
const sessions = new Map<string, string>()

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>A shop</title>
    <script src="/page.js"></script>
    <script async src="${crm}/widget/v1.js" data-key="${key}"></script>
  </head>
  <body>
    <h1>A shop</h1>
    <p id="who">You are not signed in. Ask something: the bubble is in the corner.</p>
    <button data-user="ada">Sign in as Ada</button>
    <button data-user="grace">Sign in as Grace</button>
    <button data-user="">Sign out</button>
  </body>
</html>
`

/** The page's own script. */
const script = `
window.CRMWidget = window.CRMWidget || function () { (CRMWidget.q = CRMWidget.q || []).push(arguments) }

async function identify() {
  const response = await fetch('/widget-user')
  const { name, userToken } = await response.json()
  if (!userToken) return
  CRMWidget('identify', { userToken })
  document.querySelector('#who').textContent = 'You are ' + name + '.'
}

CRMWidget('on', 'expired', identify)
CRMWidget('on', 'unread', (count) => { document.title = count > 0 ? '(' + count + ') A shop' : 'A shop' })
addEventListener('DOMContentLoaded', () => {
  identify()
  for (const button of document.querySelectorAll('button')) button.onclick = async () => {
    await fetch('/session', { method: 'POST', body: button.dataset.user })
    // The next person at this computer must not see the conversation.
    CRMWidget('shutdown')
    if (button.dataset.user) await identify()
    else document.querySelector('#who').textContent = 'You have signed out.'
  }
})
`

/** The strictest policy that the widget works under. */
const policy = `default-src 'none'; script-src 'self' ${crm}; connect-src 'self' ${crm}; frame-src ${crm}`

function sessionOf(req: IncomingMessage): string | undefined {
  const [, session] = /\bsession=([\w-]+)/.exec(req.headers.cookie ?? '') ?? []
  return session && sessions.get(session)
}

async function textOf(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of req) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

async function respond(req: IncomingMessage, res: ServerResponse): Promise<void> {
  if (req.url === '/') {
    res.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy })
    res.end(page)
  } else if (req.url === '/page.js') {
    res.writeHead(200, { 'content-type': 'text/javascript' }).end(script)
  } else if (req.url === '/session' && req.method === 'POST') {
    const session = randomBytes(16).toString('base64url')
    sessions.set(session, await textOf(req))
    res.writeHead(204, { 'set-cookie': `session=${session}; HttpOnly; SameSite=Strict; Path=/` }).end()
  } else if (req.url === '/widget-user') {
    const user = users.get(sessionOf(req) ?? '')
    const reply = user ? { name: user.name, userToken: await signWidgetUser(secret, user) } : {}
    res.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' })
    res.end(JSON.stringify(reply))
  } else res.writeHead(404).end()
}

const server = createServer((req, res) => {
  respond(req, res).catch((error: unknown) => {
    console.error(error)
    res.destroy()
  })
})
server.listen(Number(port), 'localhost', () => {
  console.log(`the shop is listening on http://localhost:${(server.address() as AddressInfo).port}`)
})
