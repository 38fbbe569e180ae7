// Fairness: what a tenant pays for the work of another one. A neighbour's mail beside mails that stall, and
// beside 1,200 mails a minute; ten rows beside four large imports; the memory while forms of 70 MB arrive; connections to the SMTP
// port of one address. `--only mail,flood,imports,forms,smtp` measures parts alone. On MongoDB where CRM_DATABASE_URL names one.
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { connect } from 'node:net'
import { loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { call, registerTenant } from '../test/support/call.ts'
import { findLastingPort } from '../test/support/free-port.ts'
import { makeCertificate } from '../test/support/https-receiver.ts'
import { parsersOf } from '../test/support/parsers-of.ts'
import { startChild } from './support/child.ts'
import { readMemory } from './support/memory.ts'
import { printFigures } from './support/print-figures.ts'

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: 'mail,flood,imports,forms,smtp' },
    rows: { type: 'string', default: '20000' },
    forms: { type: 'string', default: '200' },
  },
})
const parts = new Set(options.only.split(','))
const serverProgram = 'packages/server/src/main/crm-server.ts'
const domain = 'in.example.com'
const integrations = '/api/extcrm/integrations'

/** Processes on one MongoDB share their secrets by settings. */
const secret = 'a secret of this bench which is long enough'
const databaseUrl = process.env['CRM_DATABASE_URL']

const certificate = await makeCertificate()
const dataDir = await mkdtemp(path.join(tmpdir(), 'crmkit-bench-fairness-'))
const inData = (name: string) => path.join(dataDir, name)
await writeFile(inData('cert.pem'), certificate.cert)
await writeFile(inData('key.pem'), certificate.key)
const smtpPort = await findLastingPort()
const server = await startChild(serverProgram, ['start', '--dev'], {
  PORT: '0',
  CRM_DATA_DIR: dataDir,
  CRM_LOG_LEVEL: 'fatal',
  CRM_RATE_LIMITS: 'off',
  CRM_LIMIT_MAILS_PER_SENDER: '0',
  CRM_MAIL_DOMAIN: domain,
  CRM_SMTP_PORT: String(smtpPort),
  CRM_SMTP_TLS_CERT: inData('cert.pem'),
  CRM_SMTP_TLS_KEY: inData('key.pem'),
  ...(databaseUrl && { CRM_DATABASE_URL: databaseUrl, CRM_JWT_SECRET: secret, CRM_SECRETS_KEY: secret }),
})
const pid = server.process.pid ?? 0

interface Tenant {
  token: string
  inbound: string
}

async function ask({ token }: Pick<Tenant, 'token'>, method: string, at: string, body?: unknown) {
  const reply = await call(server.url, { method, path: at, token, ...(body !== undefined && { body }) })
  if (reply.status >= 300) throw new Error(`${method} ${at}: ${JSON.stringify(reply.body)}`)
  return reply.body.data
}

async function newTenant(): Promise<Tenant> {
  const { token } = await registerTenant(server.url)
  const inboxId: string = (await ask({ token }, 'GET', '/api/v1/inboxes'))[0]._id
  const made = await ask({ token }, 'POST', `/api/v1/inboxes/${inboxId}/inbound-token`, {})
  return { token, inbound: made.inboundToken }
}

function mailOf(text: string, from = 'ada@example.com'): string {
  return `From: ${from}\r\nTo: team@example.com\r\nSubject: Lamp\r\nMessage-ID: <${randomUUID()}@example.com>\r\n\r\n${text}`
}

async function post({ inbound }: Tenant, body: string): Promise<string> {
  const response = await fetch(`${server.url}/api/v1/inbound/email/${inbound}`, {
    method: 'POST',
    headers: { 'Content-Type': 'message/rfc822' },
    body,
  })
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`)
  return ((await response.json()) as { data: { _id: string } }).data._id
}

async function secondsUntilRead(tenant: Tenant): Promise<number> {
  const begunAt = performance.now()
  const id = await post(tenant, mailOf('Hello'))
  while ((await ask(tenant, 'GET', `/api/v1/inbound-mails/${id}`)).status === 'received') await wait(50)
  return Math.round(performance.now() - begunAt) / 1000
}

/** The parsers that are there stand still: the next mail of the other tenant gets one of them, and never ends by itself. */
async function besideMailsThatStall(): Promise<object> {
  const [hostile, neighbour] = [await newTenant(), await newTenant()]
  const alone = await secondsUntilRead(neighbour)
  const times: number[] = []
  for (let count = 0; count < 3; count++) {
    for (const parser of parsersOf(pid)) process.kill(parser, 'SIGSTOP')
    const stalled = await post(hostile, mailOf('stalls'))
    await wait(500)
    times.push(await secondsUntilRead(neighbour))
    while ((await ask(hostile, 'GET', `/api/v1/inbound-mails/${stalled}`)).status === 'received')
      await wait(100)
  }
  return { 'alone s': alone, 'longest of three s': Math.max(...times), goal: '<= 10' }
}

async function besideFlood(): Promise<object> {
  const [busy, neighbour] = [await newTenant(), await newTenant()]
  let sent = 0
  const running = new Set<Promise<unknown>>()
  const timer = setInterval(() => {
    const mail = post(busy, mailOf('flood', `customer-${sent % 50}@example.com`)).finally(() =>
      running.delete(mail),
    )
    running.add(mail)
    sent += 1
  }, 50)
  await wait(10_000)
  const times: number[] = []
  for (let count = 0; count < 5; count++) times.push(await secondsUntilRead(neighbour))
  clearInterval(timer)
  await Promise.all(running)
  return { sent, 'longest of five s': Math.max(...times), goal: '<= 5' }
}

function csvOf(count: number): Blob {
  const line = (row: number) => `${row},First,Last ${row},person${row}@example.com\n`
  const header = 'id,firstName,lastName,email\n'
  return new Blob([header, ...Array.from({ length: count }, (_, row) => line(row))])
}

async function startImport(tenant: Tenant, rows: number): Promise<string> {
  const { _id: id } = await ask(tenant, 'POST', integrations, { provider: 'file', name: randomUUID() })
  const form = new FormData()
  form.append('module', 'Contacts')
  form.append('file', csvOf(rows), 'people.csv')
  const headers = { authorization: `Bearer ${tenant.token}` }
  const response = await fetch(`${server.url}${integrations}/${id}/files`, {
    method: 'POST',
    headers,
    body: form,
  })
  if (response.status !== 201) throw new Error(await response.text())
  const chosen = { importContacts: true, importDeals: false, importTickets: false, importActivities: false }
  await ask(tenant, 'POST', `${integrations}/${id}/import`, chosen)
  return `${integrations}/${id}/import/status`
}

async function besideImports(): Promise<object> {
  const [large, neighbour] = [await newTenant(), await newTenant()]
  const running: string[] = []
  for (let count = 0; count < 4; count++) running.push(await startImport(large, Number(options.rows)))
  await wait(2_000)
  const begunAt = performance.now()
  const status = await startImport(neighbour, 10)
  while ((await ask(neighbour, 'GET', status)).run.status !== 'completed') await wait(50)
  const seconds = Math.round(performance.now() - begunAt) / 1000
  const { run } = await ask(neighbour, 'GET', status)
  const begunAfter = (Date.parse(run.startedAt) - Date.parse(run.createdAt)) / 1000
  const left = await Promise.all(running.map(async (at) => (await ask(large, 'GET', at)).run.status))
  return {
    'begun after s': begunAfter,
    'ten rows s': seconds,
    'large imports that run': left.filter((one) => one !== 'completed').length,
    goal: '<= 5',
  }
}

/** Forms of 70 MB, each a mail of 50 MB in JSON, which is too large: what counts is that they are held. */
async function memoryWithForms(): Promise<object> {
  const tenant = await newTenant()
  const before = readMemory(pid)
  const chunk = Buffer.alloc(1024 * 1024, 'a')
  let largest = before
  const statuses = new Map<number, number>()
  const sendForm = () =>
    new Promise<void>((resolve) => {
      const length = 70 * chunk.length
      const form = request(`${server.url}/api/v1/inbound/email/${tenant.inbound}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Content-Length': length },
      })
      form.on('response', (response) => {
        const { statusCode = 0 } = response
        statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1)
        response.resume()
        form.destroy()
        resolve()
      })
      form.on('error', () => resolve())
      let left = 70
      const write = () => {
        while (left-- > 0) if (!form.write(chunk)) return void form.once('drain', write)
        form.end()
      }
      write()
    })
  const timer = setInterval(() => {
    largest = Math.max(largest, readMemory(pid))
  }, 50)
  await Promise.all(Array.from({ length: Number(options.forms) }, sendForm))
  clearInterval(timer)
  const mb = (bytes: number) => Math.round(bytes / 1024 / 1024)
  return {
    'before MB': mb(before),
    'largest MB': mb(largest),
    responses: JSON.stringify([...statuses]),
    goal: '<= 400',
  }
}

async function connectionsOfOneAddress(): Promise<object> {
  const sockets = await Promise.all(
    Array.from({ length: 200 }, async () => {
      const socket = connect(smtpPort, '127.0.0.1')
      socket.on('error', () => {})
      const greeting = new Promise<string>((resolve) => {
        socket.once('data', (bytes: Buffer) => resolve(bytes.toString()))
        socket.once('close', () => resolve(''))
      })
      return { socket, greeting: await greeting }
    }),
  )
  const held = sockets.filter(({ greeting }) => greeting.startsWith('220')).length
  for (const { socket } of sockets) socket.destroy()
  return { held, goal: '<= 20' }
}

const measures: readonly (readonly [part: string, name: string, measure: () => Promise<object>])[] = [
  ['mail', "a neighbour's mail beside a mail that its parser never ends", besideMailsThatStall],
  ['flood', "a neighbour's mail beside 1,200 mails a minute", besideFlood],
  ['imports', 'ten rows beside four large imports', besideImports],
  ['forms', `memory while ${options.forms} forms of 70 MB arrive`, memoryWithForms],
  ['smtp', 'SMTP connections of one address', connectionsOfOneAddress],
]

try {
  const figures: Record<string, object> = {}
  for (const [part, name, measure] of measures) {
    if (!parts.has(part)) continue
    const figure = await measure()
    figures[name] = { ...figure, load: Math.round((loadavg()[0] ?? 0) * 10) / 10 }
  }
  printFigures('fairness', figures as Parameters<typeof printFigures>[1], { ...options })
} finally {
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
}
