import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import twilio from 'twilio'
import { call } from '../../support/call.ts'
import type { Fleet } from './fleet.ts'
import { MailClient } from './mail-client.ts'

/** The provider of calls, as every server of the run knows it. */
export const telephonyVariables = {
  CRM_BASE_URL: 'https://crm.example.com',
  CRM_TWILIO_ACCOUNT_SID: `AC${'a'.repeat(32)}`,
  CRM_TWILIO_AUTH_TOKEN: 'the-account-token-of-the-provider',
  CRM_TWILIO_API_KEY_SID: `SK${'b'.repeat(32)}`,
  CRM_TWILIO_API_KEY_SECRET: 'the-secret-of-the-key-of-the-provider',
  CRM_TWILIO_APP_SID: `AP${'c'.repeat(32)}`,
}
const ownNumber = '+15550000001'
const pauseMs = 60
const pollMs = 150
const rowsPerImport = 40

/** One kind of work that a run does beside all others, in a tenant of its own. */
export interface SideLoad {
  name: string
  /** Does one piece of work, and repeats each request until it is acknowledged. */
  doOne(): Promise<void>
  /** Returns what of the acknowledged work is lost, doubled or unfinished. */
  verify(): Promise<string[]>
}

export interface SideLoadParts {
  fleet: Fleet
  /** Responses that no client should have seen. */
  oddities: string[]
  /** How far the clock of the servers is ahead. */
  aheadMs(): number
  /** Gives a tenant a telephone number, which only its operator can. */
  giveNumber(tenantId: string, number: string): Promise<void>
}

/** Mails at the HTTP door: each one becomes one message of one conversation. */
async function mailIn({ fleet, oddities }: SideLoadParts): Promise<SideLoad> {
  const client = new MailClient(fleet, oddities)
  const { inboundToken } = await client.open({ address: 'help@acme.test', plusAddressing: true })
  const taken: string[] = []
  return {
    name: 'mails',
    async doOne() {
      const number = taken.length
      const lines = [
        `From: Customer ${number} <customer-${number}@example.com>`,
        'To: help@acme.test',
        `Subject: Question ${number}`,
        `Message-ID: <${randomUUID()}@example.com>`,
        'Content-Type: multipart/mixed; boundary=b',
        '',
        '--b\r\n\r\nSee the file.\r\n--b\r\nContent-Type: text/plain\r\nContent-Disposition: attachment; filename=a.txt',
        '',
        `${'word '.repeat(2_000)}\r\n--b--`,
      ]
      const headers = { 'content-type': 'message/rfc822' }
      const path = `/api/v1/inbound/email/${inboundToken}`
      const rawBody = lines.join('\r\n')
      const post = (url: string) => call(url, { method: 'POST', path, rawBody, headers })
      taken.push((await client.until(post)).data._id)
    },
    async verify() {
      const problems: string[] = []
      const conversations = new Set<string>()
      for (const id of taken) {
        const { conversationId } = await client.processed(id)
        conversations.add(conversationId)
        const { messageId } = await client.ask('GET', `/api/v1/inbound-mails/${id}`)
        const messages = await client.ask('GET', `/api/v1/conversations/${conversationId}/messages`)
        const stored = messages.map(({ _id, attachments }: { _id: string; attachments: unknown[] }) => [
          _id,
          attachments.length,
        ])
        if (JSON.stringify(stored) !== JSON.stringify([[messageId, 1]]))
          problems.push(`the mail ${id} became ${JSON.stringify(stored)}`)
      }
      if (conversations.size !== taken.length)
        problems.push(`${taken.length} mails made ${conversations.size} conversations`)
      return problems
    },
  }
}

/** Files of customers: each row becomes one customer. */
async function imports({ fleet, oddities }: SideLoadParts): Promise<SideLoad> {
  const client = new MailClient(fleet, oddities)
  await client.open({})
  const base = '/api/extcrm/integrations'
  let started = 0
  let last: string | undefined
  const runOf = async (id: string) => (await client.ask('GET', `${base}/${id}/import/status`)).run
  const isOver = async (id: string) => !['queued', 'running', 'paused'].includes((await runOf(id))?.status)
  return {
    name: 'imports',
    async doOne() {
      if (last !== undefined && !(await isOver(last))) return
      const { _id: id } = await client.ask('POST', base, { provider: 'file', name: `File ${started}` })
      const rows = Array.from({ length: rowsPerImport }, (_, row) => `${row},Row ${started}.${row}`)
      const file = new File([`id,lastName\n${rows.join('\n')}`], 'people.csv')
      await client.send({ method: 'POST', path: `${base}/${id}/files`, form: { module: 'Contacts', file } })
      await client.ask('POST', `${base}/${id}/import`, {})
      started += 1
      last = id
    },
    async verify() {
      while (last !== undefined && !(await isOver(last))) await delay(pollMs)
      const { pagination } = await client.list('/api/v1/customers?limit=1')
      const wanted = started * rowsPerImport
      return pagination.total === wanted ? [] : [`${wanted} rows became ${pagination.total} customers`]
    },
  }
}

/** Files with everything about a customer: one that ends in order holds all that was acknowledged before it began. */
async function exports({ fleet, oddities }: SideLoadParts): Promise<SideLoad> {
  const client = new MailClient(fleet, oddities)
  const { inboxId } = await client.open({})
  const { _id: customerId } = await client.ask('POST', '/api/v1/customers', { firstName: 'Ada' })
  const conversation = { subject: 'All of it', inboxId, customerId }
  const { _id: id } = await client.ask('POST', '/api/v1/conversations', conversation)
  const sent: string[] = []
  const problems: string[] = []
  const download = async () => {
    const { body } = await client.send({ path: `/api/v1/customers/${customerId}/export` })
    const missing = sent.filter((message) => !body.includes(message))
    if (missing.length > 0) problems.push(`an export lacks ${missing.length} of ${sent.length} messages`)
    if (!isJson(body)) problems.push('an export ended in order and is no whole file')
  }
  return {
    name: 'exports',
    async doOne() {
      const body = { content: `Message ${sent.length}`, clientMessageId: `${sent.length}` }
      sent.push((await client.ask('POST', `/api/v1/conversations/${id}/messages`, body))._id)
      await download()
    },
    async verify() {
      await download()
      return problems
    },
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Drafts with a time: each one becomes one message. */
async function dueDrafts({ fleet, oddities, aheadMs }: SideLoadParts): Promise<SideLoad> {
  const client = new MailClient(fleet, oddities)
  const { inboxId } = await client.open({})
  const { _id: customerId } = await client.ask('POST', '/api/v1/customers', { firstName: 'Ada' })
  /** How often each was asked for: a draft whose response was lost may be sent before it is asked for again. */
  const scheduled = new Map<string, number>()
  const messagesOf = async (id: string) =>
    (await client.ask('GET', `/api/v1/conversations/${id}/messages`)).length
  return {
    name: 'drafts',
    async doOne() {
      const conversation = { subject: 'Soon', inboxId, customerId }
      const { _id: id } = await client.ask('POST', '/api/v1/conversations', conversation)
      const path = `/api/v1/conversations/${id}/draft`
      let tries = 0
      await client.send({
        method: 'PUT',
        path,
        // The clock of the servers may jump before the request arrives: then its time is planned again.
        body: () => {
          tries += 1
          const sendAt = new Date(Date.now() + aheadMs() + 1_000).toISOString()
          return { content: 'Due', sendAt, sendUnlessReplied: false }
        },
        repeats: [422],
      })
      scheduled.set(id, tries)
    },
    async verify() {
      const counts = new Map<string, number>()
      const endsAt = performance.now() + 60_000
      for (const id of scheduled.keys()) {
        for (;;) {
          counts.set(id, await messagesOf(id))
          if (counts.get(id) !== 0 || performance.now() > endsAt) break
          await delay(pollMs)
        }
      }
      return [...counts].flatMap(([id, count]) =>
        count > 0 && count <= (scheduled.get(id) ?? 0) ? [] : [`the draft of ${id} became ${count} messages`],
      )
    },
  }
}

/** Callbacks of the provider: each call is stored once, and has ended. */
async function calls({ fleet, oddities, giveNumber }: SideLoadParts): Promise<SideLoad> {
  const client = new MailClient(fleet, oddities)
  await client.open({})
  const { _id: tenantId } = await client.ask('GET', '/api/tenant')
  await giveNumber(tenantId, ownNumber)
  const ended: string[] = []
  async function report(name: 'voice' | 'status', fields: Record<string, string>): Promise<void> {
    const path = `/api/telephony/providers/twilio/${name}?tenant=${tenantId}`
    const { CRM_TWILIO_AUTH_TOKEN: token, CRM_BASE_URL: baseUrl } = telephonyVariables
    const headers = {
      'x-twilio-signature': twilio.getExpectedTwilioSignature(token, baseUrl + path, fields),
      'content-type': 'application/x-www-form-urlencoded',
    }
    const rawBody = new URLSearchParams(fields).toString()
    for (;;) {
      const url = (await fleet.whenUp()) + path
      const response = await fetch(url, { method: 'POST', headers, body: rawBody }).catch(() => undefined)
      await response?.text().catch(() => undefined)
      if (response?.status === 200) return
      await delay(pollMs)
    }
  }
  return {
    name: 'calls',
    async doOne() {
      const CallSid = `CA${randomUUID().replaceAll('-', '')}`
      const fields = { CallSid, From: '+15551234567', To: ownNumber, Direction: 'inbound' }
      await report('voice', { ...fields, CallStatus: 'ringing' })
      for (const CallStatus of ['in-progress', 'completed']) await report('status', { ...fields, CallStatus })
      ended.push(CallSid)
    },
    async verify() {
      const stored: string[] = []
      for (let page = 1; ; page++) {
        const { data } = await client.list(`/api/telephony/calls?limit=100&page=${page}`)
        for (const { callSid, status } of data) stored.push(`${callSid} ${status}`)
        if (data.length < 100) break
      }
      return ended.flatMap((sid) => {
        const own = stored.filter((text) => text.startsWith(sid))
        return own.join() === `${sid} completed`
          ? []
          : [`the call ${sid} is stored as ${JSON.stringify(own)}`]
      })
    },
  }
}

export interface SideLoads {
  counts(): Record<string, number>
  stop(): Promise<void>
  verify(): Promise<string[]>
}

/** Begins all of them, each with one client. */
export async function startSideLoads(given: Omit<SideLoadParts, 'oddities'>): Promise<SideLoads> {
  const parts = { ...given, oddities: [] }
  const loads: SideLoad[] = []
  for (const open of [mailIn, imports, exports, dueDrafts, calls]) loads.push(await open(parts))
  const counts: Record<string, number> = {}
  let isStopped = false
  const work = async (load: SideLoad) => {
    counts[load.name] = 0
    while (!isStopped) {
      await load.doOne()
      counts[load.name] = (counts[load.name] ?? 0) + 1
      await delay(pauseMs)
    }
  }
  const running = Promise.all(loads.map(work))
  // An error is thrown by `stop`, not by a promise that nobody has.
  running.catch(() => undefined)
  return {
    counts: () => counts,
    async stop() {
      isStopped = true
      await running
    },
    verify: async () => [
      ...parts.oddities,
      ...(await Promise.all(loads.map((load) => load.verify()))).flat(),
    ],
  }
}
