import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import twilio from 'twilio'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { call } from '../support/call.ts'
import {
  makeCertificate,
  startReceiver,
  type TestCertificate,
  type TestReceiver,
} from '../support/https-receiver.ts'
import { openStream } from '../support/open-stream.ts'
import { type Program, runProgram, serverProgram, startProgram } from '../support/programs.ts'
import { openSmtp } from '../support/smtp-client.ts'
import { migratedTestWorld, type TestWorld } from '../support/test-world.ts'
import { switchWidgetOn, WidgetVisitor } from '../support/widget-visitor.ts'

/** Part of every personal value, every text and every address of the journey: one search finds them all. */
const mark = 'zq7x'
const marked = (text: string) => `${mark}${text}`
const email = (name: string) => `${marked(name)}@${mark}.example`
const password = `${marked('correct')} horse battery`
/** Phone numbers have no letters. */
const phoneMark = '5550770'
const authToken = 'the-token-that-signs-callbacks'
const baseUrl = 'https://crm.example.com'
const mailDomain = 'mail.crm.example.com'
const secretVariables = {
  CRM_JWT_SECRET: 'the secret of this journey that signs its tokens',
  CRM_SECRETS_KEY: 'the key of this journey that seals its secrets',
  CRM_TWILIO_AUTH_TOKEN: authToken,
  CRM_TWILIO_API_KEY_SECRET: 'the-secret-of-a-key-of-the-provider',
}

let dataDir: string
let world: TestWorld
let certificate: TestCertificate
let receiver: TestReceiver
let server: Program
/** Everything that the server made and showed once. */
let shown: string[]

beforeEach(async () => {
  shown = []
  dataDir = mkdtempSync(path.join(tmpdir(), 'crmkit-log-secrecy-'))
  world = migratedTestWorld()
  certificate = await makeCertificate()
  receiver = await startReceiver(certificate, (req, res, body) => {
    // A receiver that crashes in the middle of its response, one that fails and repeats what it got, and one that works.
    if (req.url?.includes('crash')) res.writeHead(200, { 'Content-Length': '100' }).write(body.slice(0, 50))
    if (req.url?.includes('crash')) res.socket?.destroy()
    else if (req.url?.includes('fail')) res.writeHead(500, { 'x-echo': marked('echo') }).end(body)
    else res.end('ok')
  })
  writeFileSync(keyFile(), certificate.key)
  server = await startProgram(serverProgram, ['start'], environment())
})
afterEach(async () => {
  await server.kill('SIGKILL')
  await receiver.close()
  certificate.remove()
  await world.remove()
  rmSync(dataDir, { recursive: true, force: true })
})

const keyFile = () => path.join(dataDir, 'smtp-key.pem')

const environment = () => ({
  PORT: '0',
  CRM_METRICS_PORT: '0',
  CRM_DATA_DIR: dataDir,
  CRM_LOG_LEVEL: 'debug',
  CRM_BASE_URL: baseUrl,
  CRM_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
  CRM_WEBHOOK_CA_FILE: certificate.caFile,
  CRM_SMTP_PORT: '0',
  CRM_MAIL_DOMAIN: mailDomain,
  CRM_SMTP_TLS_CERT: certificate.caFile,
  CRM_SMTP_TLS_KEY: keyFile(),
  CRM_TWILIO_ACCOUNT_SID: `AC${'a'.repeat(32)}`,
  CRM_TWILIO_API_KEY_SID: `SK${'b'.repeat(32)}`,
  CRM_TWILIO_APP_SID: `AP${'c'.repeat(32)}`,
  ...world.variables,
  ...secretVariables,
})

const send = (
  method: string,
  at: string,
  { body, token, ...rest }: Omit<Parameters<typeof call>[1], 'path'> = {},
) => call(server.url, { method, path: at, body, token, ...rest })

async function data(method: string, at: string, given: Parameters<typeof send>[2]) {
  const { status, body } = await send(method, at, given)
  if (status >= 300) throw new Error(`${method} ${at}: ${JSON.stringify(body)}`)
  return body.data
}

/** Registers, invites, signs in well and wrongly, renews and ends a session; returns the owner's token and tenant. */
async function walkCredentials() {
  const founder = { tenantName: marked('Shop'), email: email('owner'), password, firstName: marked('Olive') }
  const {
    accessToken: token,
    refreshToken,
    tenant,
  } = await data('POST', '/api/auth/register', { body: founder })
  const invited = { email: email('agent'), role: 'agent', lastName: marked('Gray') }
  const { inviteToken } = await data('POST', '/api/v1/users', { token, body: invited })
  const accept = { token: inviteToken, password: marked('another password') }
  const agent = await data('POST', '/api/auth/accept-invite', { body: accept })
  expect((await send('POST', '/api/auth/accept-invite', { body: accept })).status).toBe(401)
  for (const wrong of [marked('wrong password'), ''])
    expect(
      (await send('POST', '/api/auth/login', { body: { email: email('owner'), password: wrong } })).status,
    ).not.toBe(200)
  const renewed = await data('POST', '/api/auth/refresh', { body: { refreshToken } })
  await send('POST', '/api/auth/refresh', { body: { refreshToken: marked('no-token') } })
  await send('POST', '/api/auth/logout', { token: agent.accessToken })
  const { key, _id } = await data('POST', '/api/tenant/api-keys', {
    token: renewed.accessToken,
    body: { name: marked('Key'), permissions: ['read:customers', 'write:customers'] },
  })
  await send('POST', `/api/tenant/api-keys/${_id}/rotate`, { token: renewed.accessToken, body: {} })
  for (const credential of [`${key}x`, 'sk_live_short', marked('.forged.token'), ''])
    expect((await send('GET', '/api/v1/customers', { token: credential })).status).toBe(401)
  expect((await send('GET', '/api/v1/customers', { headers: { 'x-api-key': marked('key') } })).status).toBe(
    401,
  )
  shown.push(
    token,
    refreshToken,
    inviteToken,
    agent.accessToken,
    renewed.accessToken,
    renewed.refreshToken,
    key,
  )
  return { token: renewed.accessToken as string, tenantId: tenant._id as string, key: key as string }
}

async function walkWebhooks(token: string) {
  const hooks = []
  for (const part of ['works', 'fail', 'crash']) {
    const url = `${new URL(receiver.url).origin}/${part}/${mark}?token=${mark}`
    const headers = { 'x-own-secret': marked('header') }
    const events = ['customer.created', 'message.sent', 'call.initiated']
    const made = await data('POST', '/api/v1/webhooks', {
      token,
      body: { name: marked(part), url, events, headers },
    })
    const rotated = await data('POST', `/api/v1/webhooks/${made._id}/rotate-secret`, { token, body: {} })
    shown.push(made.secret, rotated.secret)
    hooks.push(made._id)
  }
  return hooks as string[]
}

/** Customers, conversations, messages and files, and requests that are refused in every way. */
async function walkContent(token: string, key: string) {
  const phone = `+1${phoneMark}123`
  const body = {
    firstName: marked('Grace'),
    email: email('grace'),
    phone,
    customFields: { note: marked('note') },
  }
  const headers = { 'idempotency-key': marked('once') }
  const { _id: customerId } = await data('POST', '/api/v1/customers', { token, body, headers })
  await send('POST', '/api/v1/customers', { token, body: { ...body, firstName: marked('Other') }, headers })
  const [{ _id: inboxId }] = await data('GET', '/api/v1/inboxes', { token })
  const conversation = {
    inboxId,
    subject: marked('subject'),
    customerId,
    labels: [marked('label')],
    message: { content: marked('text') },
  }
  const { _id } = await data('POST', '/api/v1/conversations', { token, body: conversation })
  const form = { file: new File([marked('bytes')], `${marked('name')}.txt`, { type: 'text/plain' }) }
  const file = await data('POST', '/api/v1/attachments', { token, form })
  const message = { content: marked('reply'), attachments: [file._id], clientMessageId: marked('client') }
  await data('POST', `/api/v1/conversations/${_id}/messages`, { token, body: message })
  await send('GET', `/api/v1/attachments/${file._id}`, { token })
  await send('GET', `/api/v1/customers?search=${mark}&cursor=${mark}`, { token })
  await send('GET', `/api/v1/customers/${email('grace')}`, { token: key })
  await send('GET', `/api/v1/${mark}/${encodeURIComponent(email('grace'))}`, { token })
  await send('POST', '/api/v1/customers', { token, body: { [mark]: marked('unknown field'), email: mark } })
  await send('POST', '/api/v1/customers', { token, rawBody: `{"email": "${email('broken')}", ` })
  await send('POST', '/api/v1/customers', { token, rawBody: `{"__proto__": {"email": "${email('proto')}"}}` })
  await send('POST', '/api/v1/users', { token, body: { email: email('owner'), role: 'agent' } })
  await send('GET', '/api/v1/customers', { token, headers: { 'x-api-version': mark } })
  await send('GET', `/api/v1/customers/${customerId}/export?format=csv`, { token })
  for (const name of ['usage', 'metrics', 'tags', 'usage/history'])
    await data('GET', `/api/v1/analytics/${name}`, { token })
  await send('DELETE', `/api/v1/customers/${customerId}`, { token })
}

/** A signed and an unsigned callback of the telephony provider, and calls of the service's own. */
async function walkTelephony(token: string, tenantId: string) {
  const customerPhone = `+1${phoneMark}456`
  const { capabilityToken } = await data('POST', '/api/telephony/webrtc/capability-token', {
    token,
    body: { customerPhone },
  })
  shown.push(capabilityToken)
  await data('POST', '/api/telephony/calls', { token, body: { to: customerPhone } })
  const numbers = ['tenants', 'set-phone-numbers', tenantId, '--numbers', `+1${phoneMark}000`]
  expect(await runProgram(serverProgram, numbers, { env: environment() })).toMatchObject({ code: 0 })
  const at = `/api/telephony/providers/twilio/voice?tenant=${tenantId}`
  const fields = {
    CallSid: `CA${'d'.repeat(32)}`,
    From: `+1${phoneMark}789`,
    To: `+1${phoneMark}000`,
    CallerName: marked('Caller'),
  }
  const signature = twilio.getExpectedTwilioSignature(authToken, baseUrl + at, fields)
  shown.push(signature)
  for (const sent of [signature, marked('signature'), undefined]) {
    const headers = sent === undefined ? {} : { 'x-twilio-signature': sent }
    const { status } = await fetch(server.url + at, {
      method: 'POST',
      headers,
      body: new URLSearchParams(fields),
    })
    expect(status).toBe(sent === signature ? 200 : 403)
  }
}

const mailOf = (to: string) =>
  [
    `From: ${marked('Ada')} <${email('ada')}>`,
    `To: ${to}`,
    `Subject: ${marked('subject')}`,
    `Message-ID: <${marked('id')}@${mark}.example>`,
    '',
    marked('text of a mail'),
  ].join('\r\n')

/** Mail through both doors, at the right address and at wrong ones: its address is the credential. */
async function walkMailDoors(token: string) {
  const [{ _id: inboxId }] = await data('GET', '/api/v1/inboxes', { token })
  const made = await data('POST', `/api/v1/inboxes/${inboxId}/inbound-token`, { token, body: {} })
  const inboundToken: string = made.inboundToken
  shown.push(inboundToken)
  const post = async (at: string, type: string, method = 'POST') => {
    const body = method === 'POST' ? mailOf(email('support')) : null
    const url = `${server.url}/api/v1/inbound/email/${at}`
    return (await fetch(url, { method, headers: { 'Content-Type': type }, body })).status
  }
  const envelope = `?from=${email('ada')}&to=${email('support')}`
  expect(await post(`${inboundToken}${envelope}`, 'message/rfc822')).toBe(200)
  for (const [at, type] of [
    [`${inboundToken}/mime`, 'multipart/form-data; boundary=none'],
    [inboundToken, `text/${mark}`],
    [`${inboundToken}/${mark}`, 'message/rfc822'],
    [`${inboundToken.slice(0, -1)}${envelope}`, 'message/rfc822'],
    [marked('no-token'), 'message/rfc822'],
  ] as const)
    expect(await post(at, type)).toBeGreaterThanOrEqual(400)
  expect(await post(inboundToken, 'message/rfc822', 'GET')).toBe(405)

  const smtpUrl = /"url":"(smtp:\S+?)"/.exec(server.stderr())?.[1] ?? ''
  const sender = await openSmtp(smtpUrl)
  await sender.say(`EHLO ${mark}.example`)
  await sender.say(`MAIL FROM:<${email('ada')}>`)
  expect(await sender.say(`RCPT TO:<${marked('unknown')}@${mailDomain}>`)).toMatch(/^5/)
  expect(await sender.say(`RCPT TO:<${inboundToken}@${mailDomain}>`)).toMatch(/^250/)
  await sender.say('DATA')
  expect(await sender.say(`${mailOf(email('support'))}\r\n.`)).toMatch(/^250/)
  await sender.say(`${mark} ${inboundToken}`)
  sender.destroy()
}

/** A visitor of the chat widget, with a session that is good and one that is not. */
async function walkWidget(token: string) {
  const widget = await switchWidgetOn(server.url, token)
  const visitor = new WidgetVisitor(server.url)
  expect((await visitor.begin(widget.key, { page: `https://${mark}.example/` })).status).toBe(201)
  shown.push(visitor.token ?? '')
  const { _id } = await visitor.ask(marked('a question'), marked('client'))
  await visitor.send('POST', `/api/v1/widget/conversations/${_id}/typing`, { isTyping: true, text: mark })
  await visitor.send('DELETE', '/api/v1/widget/sessions/current')
  expect((await visitor.send('GET', '/api/v1/widget/conversations')).status).toBe(401)
  const stranger = new WidgetVisitor(server.url, marked('no-session'))
  await stranger.begin(marked('no-key'), { userToken: marked('.no.jwt') })
  await stranger.send('GET', `/api/v1/widget/conversations?cursor=${mark}`)
}

/** The addresses of pages and links, which people open with a token in them, and the callback of a sign-in elsewhere. */
async function walkPages() {
  await send('POST', '/api/auth/password-reset', { body: { email: email('owner') } })
  const confirm = { token: marked('no-token'), password: marked('a third password') }
  await send('POST', '/api/auth/password-reset/confirm', { body: confirm })
  for (const at of [
    `/account/invite?token=${mark}`,
    `/account/reset?token=${mark}`,
    `/account/${mark}`,
    `/files/${mark}/${mark}?signature=${mark}`,
    `/widget/v1/frame?key=${mark}`,
    `/widget/${mark}`,
    `/console?token=${mark}`,
    `/console/${mark}/${mark}`,
    `/dev/mail?${mark}`,
    `/api-docs/${mark}?${mark}`,
    `/api/extcrm/oauth/zoho/callback?code=${mark}&state=${mark}`,
    `/api/extcrm/oauth/${mark}/callback?code=${mark}`,
    `/?token=${mark}`,
    `/${mark}?token=${mark}`,
  ])
    await fetch(server.url + at, { redirect: 'manual', headers: { referer: `https://${mark}.example/` } })
}

/** Input that is no request, and a client that disconnects in the middle of a body. */
async function walkBrokenConnections(token: string) {
  const port = Number(new URL(server.url).port)
  const socket = connect(port, '127.0.0.1', () =>
    socket.write(`${mark} ${mark}\r\nAuthorization: ${token}\r\n\r\n`),
  )
  socket.resume()
  await once(socket, 'close')
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'content-length': '1000',
  }
  const half = request({
    port,
    host: '127.0.0.1',
    method: 'POST',
    path: `/api/v1/customers?${mark}`,
    headers,
  })
  half.on('error', () => {})
  half.write(`{"email": "${email('half')}"`, () => half.destroy())
  // `once` of events would reject for the error that this causes.
  await new Promise((resolve) => half.once('close', resolve))
}

/** Ends the server and finds nothing of a person, and nothing that was shown once, in its log and its metrics. */
async function expectSecrecy(linesMin: number) {
  const metricsUrl = /"url":"(\S+?)","msg":"The metrics are served"/.exec(server.stderr())?.[1] ?? ''
  const metrics = await (await fetch(metricsUrl)).text()
  expect(await server.kill('SIGTERM')).toBe(0)

  const log = server.stderr()
  const lines = log.split('\n').filter(Boolean)
  expect(lines.length).toBeGreaterThan(linesMin)
  for (const line of lines) expect(() => JSON.parse(line)).not.toThrow()
  const secrets = [...shown, ...Object.values(secretVariables)]
  expect(secrets.every((secret) => typeof secret === 'string' && secret.length > 8)).toBe(true)
  const forms = [...secrets, mark, phoneMark].flatMap((value) => [
    value,
    encodeURIComponent(value),
    Buffer.from(value).toString('base64').replace(/=+$/, ''),
    Buffer.from(value).toString('hex'),
  ])
  const found = lines.filter((line) => forms.some((form) => line.toLowerCase().includes(form.toLowerCase())))
  expect(found).toEqual([])
  expect(forms.filter((form) => metrics.toLowerCase().includes(form.toLowerCase()))).toEqual([])
}

test('no line of the log and no metric holds a secret or a personal value of a whole journey, at the level debug, with failures, refusals and receivers that crash', async () => {
  const { token, tenantId, key } = await walkCredentials()
  const hooks = await walkWebhooks(token)
  const stream = await openStream(server.url, { token })
  await walkContent(token, key)
  await walkTelephony(token, tenantId)
  await walkBrokenConnections(token)
  for (const id of hooks) await send('POST', `/api/v1/webhooks/${id}/test`, { token })
  // The customer, the message and the call to each of the three, and the tests.
  await receiver.waitFor(12)
  stream.close()
  await expectSecrecy(50)
})

test('no line of the log and no metric holds a credential or a text of any door: mail over HTTP and SMTP, the chat widget, pages with a token, the callback of a sign-in', async () => {
  const { token } = await walkCredentials()
  await walkMailDoors(token)
  await walkWidget(token)
  await walkPages()
  await expectSecrecy(40)
})
