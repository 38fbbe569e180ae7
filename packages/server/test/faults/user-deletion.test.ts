import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openSqliteStorage } from '../../src/adapters/sqlite/sqlite-storage.ts'
import type { Storage } from '../../src/ports/storage.ts'
import { call, password, registerTenant } from '../support/call.ts'
import { type Program, serverProgram, startNodeProgram } from '../support/programs.ts'

const preload = fileURLToPath(new URL('./support/preload/preload.ts', import.meta.url))
/** The lease of a killed process on the tasks has ended by then. */
const beyondLeaseMs = 11_000
const livesMax = 20

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'crmkit-deletion-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

/** Starts a server that dies before the n-th page of an erasure. */
function start(life: number, passage: number): Promise<Program> {
  const clockFile = path.join(dataDir, 'ahead-ms')
  writeFileSync(clockFile, String(life * beyondLeaseMs))
  const plan = { clockFile, crash: { point: 'between-erasure-pages', passage } }
  return startNodeProgram({
    file: serverProgram,
    args: ['start', '--dev'],
    env: { PORT: '0', CRM_DATA_DIR: dataDir, FAULT_PLAN: JSON.stringify(plan) },
    nodeArgs: ['--import', preload],
  })
}

type Send = (method: string, path: string, body?: unknown) => ReturnType<typeof call>

function as(url: string, token?: string): Send {
  return (method, at, body) => call(url, { method, path: at, token, ...(body !== undefined && { body }) })
}

const email = 'leaver@example.com'

/** An admin who has left a trace in everything that names a user, and wants to be deleted. */
async function newLeaver(url: string) {
  const { token, tenant } = await registerTenant(url)
  const owner = as(url, token)
  const invited = await owner('POST', '/api/v1/users', { email, role: 'admin', firstName: 'Leaver' })
  const { inviteToken, _id: id } = invited.body.data
  const accepted = await as(url)('POST', '/api/auth/accept-invite', { token: inviteToken, password })
  const leaver = as(url, accepted.body.data.accessToken)
  const inboxId = (await owner('GET', '/api/v1/inboxes')).body.data[0]._id
  await owner('PUT', `/api/v1/inboxes/${inboxId}`, { members: [id] })
  const make = async (at: string, made: object) => {
    const { status, body } = await leaver('POST', at, made)
    expect([at, status]).toEqual([at, 201])
    return body.data
  }
  const conversation = { subject: 'Help', inboxId, assignedTo: id }
  const closed = await make('/api/v1/conversations', conversation)
  const open = await make('/api/v1/conversations', conversation)
  const message = await make(`/api/v1/conversations/${closed._id}/messages`, { content: 'It is I' })
  await leaver('PUT', `/api/v1/conversations/${closed._id}`, { status: 'closed' })
  const made = await make('/api/telephony/calls', { to: '+15551230001' })
  const key = await make('/api/tenant/api-keys', { name: 'Mine', permissions: ['read:customers'] })
  const webhook = { name: 'Mine', url: 'https://127.0.0.1:1024/hook', events: ['customer.deleted'] }
  await make('/api/v1/webhooks', webhook)
  const { body } = await leaver('POST', '/api/data-privacy/deletion-request', { reason: 'Leaver is leaving' })
  return {
    token,
    tenantId: tenant._id,
    id: id as string,
    requestId: body.request.id as string,
    rows: { closed: closed._id, open: open._id, message: message._id, call: made._id, key: key._id },
    owner,
  }
}

/** Waits until the process has died or nothing is left to do; returns which. */
async function outcomeOf(server: Program, storage: Storage): Promise<'dead' | 'done'> {
  for (;;) {
    if (server.process.exitCode !== null || server.process.signalCode !== null) return 'dead'
    if ((await storage.system.listTasks(1)).length === 0) return 'done'
    await delay(20)
  }
}

it('the deletion of a user continues after a process was killed between any two of its pages, and leaves only a pseudonym [privacy.others]', {
  timeout: 600_000,
}, async () => {
  const first = await start(0, 1)
  const { token, tenantId, id, requestId, rows, owner } = await newLeaver(first.url)
  const storage = await openSqliteStorage({ path: path.join(dataDir, 'crm.sqlite') })
  try {
    const died = once(first.process, 'exit')
    // The process may die before its response is sent.
    const approve = owner('POST', `/api/tenant/privacy-requests/${requestId}/approve`, {})
    const approved = await approve.catch(() => undefined)
    if (approved !== undefined)
      expect([approved.status, approved.body.data.status]).toEqual([200, 'processing'])
    await died

    let deaths = 1
    let server: Program | undefined
    for (let life = 1; life < livesMax; life++) {
      // A server that dies while it starts has made its page too.
      server = await start(life, 2).catch(() => undefined)
      if (server !== undefined && (await outcomeOf(server, storage)) === 'done') break
      expect(await storage.forTenant(tenantId).users.find(id)).toBeUndefined()
      deaths += 1
      server = undefined
    }
    // Before the first page, and after each: open conversations, events, sessions, messages, timelines, closed conversations, calls,
    // keys, webhooks, audit log, requests.
    expect(deaths).toBe(12)
    if (server === undefined) throw new Error('the deletion never ended')
    await expectPseudonym(as(server.url, token), { id, requestId, rows })
    const login = await as(server.url)('POST', '/api/auth/login', { email, password })
    expect([login.status, login.body.code]).toEqual([401, 'AUTH_REQUIRED'])
    await server.kill('SIGTERM')
  } finally {
    await storage.close()
  }
})

interface Deleted {
  id: string
  requestId: string
  rows: Record<'closed' | 'open' | 'message' | 'call' | 'key', string>
}

async function expectPseudonym(owner: Send, { id, requestId, rows }: Deleted): Promise<void> {
  const read = async (at: string) => (await owner('GET', at)).body.data
  const [request] = await read('/api/tenant/privacy-requests')
  expect(request).toMatchObject({ _id: requestId, status: 'completed', reason: null })
  const pseudonym: string = request.userId
  expect(pseudonym).toMatch(/^usr_/)
  expect(pseudonym).not.toBe(id)
  expect((await read(`/api/v1/messages/${rows.message}`)).sender).toEqual({
    type: 'user',
    _id: pseudonym,
    name: null,
  })
  expect((await read(`/api/telephony/calls/${rows.call}`)).agentId).toBe(pseudonym)
  expect((await read(`/api/tenant/api-keys/${rows.key}`)).createdBy).toBe(pseudonym)
  expect((await read(`/api/v1/conversations/${rows.open}`)).assignedTo).toBeNull()
  expect((await read(`/api/v1/conversations?assignedTo=${pseudonym}`))[0]._id).toBe(rows.closed)
  const entries = await read('/api/tenant/audit-log?limit=100')
  expect(entries[0]).toMatchObject({
    action: 'privacyRequest.completed',
    actor: { type: 'system', _id: null },
    target: { type: 'privacyRequest', _id: requestId },
  })
  expect(JSON.stringify(entries)).toContain(pseudonym)
  expect(JSON.stringify(entries)).not.toContain(id)
  const log = await read('/api/v1/events?after=earliest&limit=100')
  const erased = { _id: id, erased: true }
  const about = log.filter(({ event }: { event: string }) => event.startsWith('user.'))
  // The last one reports the removal, and holds nothing but the id.
  expect(about.at(-1)).toMatchObject({ event: 'user.deleted', data: { _id: id } })
  expect(about.at(-2)?.data).toEqual(erased)
  expect(JSON.stringify(log)).not.toContain('Leaver')
}
