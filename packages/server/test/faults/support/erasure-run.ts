import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import type { Storage } from '../../../src/ports/storage.ts'
import type { FaultPoint } from '../../../src/shared/fault-points.ts'
import { call, password, registerTenant } from '../../support/call.ts'
import {
  bundledProgram,
  type Finished,
  type Program,
  runProgram,
  serverProgram,
  startProgram,
} from '../../support/programs.ts'

const preload = bundledProgram('preload') ?? fileURLToPath(new URL('./preload/preload.ts', import.meta.url))

/** The data of a server, as one engine keeps it. */
export interface RestorableWorld {
  /** Of the server whose data is lost. */
  live: Record<string, string>
  /** Makes the backup, while no server runs. */
  backUp(): Promise<void>
  /** Of the server on the restored data. */
  restored: Record<string, string>
  /** Restores the backup and the ledger; `env` may kill the restore. */
  restore(env: Record<string, string>): Promise<Finished>
  openRestored(): Promise<Storage>
  /** Everything that the restored database and its files hold, as text, while no server runs. */
  textOfRestored(): Promise<string>
  ledger: string
}

/** Variables that kill a process of the server at a point. */
export function killAt(point: FaultPoint, passage: number): Record<string, string> {
  return {
    NODE_OPTIONS: `--import ${preload}`,
    FAULT_PLAN: JSON.stringify({ crash: { point, passage } }),
  }
}

export function newFolder(): { folder: string; remove(): void } {
  const folder = mkdtempSync(path.join(tmpdir(), 'crmkit-erasures-'))
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Makes a data directory with the secrets of another one, as an operator does before a restore. */
export function copySecrets(from: string, to: string): void {
  mkdirSync(to, { mode: 0o700 })
  for (const name of ['jwt-secret', 'secrets-key']) copyFileSync(path.join(from, name), path.join(to, name))
}

export function textOfFolder(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'latin1'))
    .join('\n')
}

type Send = (method: string, path: string, body?: unknown) => Promise<Awaited<ReturnType<typeof call>>>

function as(url: string, token?: string): Send {
  return (method, at, body) => call(url, { method, path: at, token, ...(body !== undefined && { body }) })
}

async function must(sent: ReturnType<Send>): Promise<ReturnType<Send> extends Promise<infer R> ? R : never> {
  const response = await sent
  if (response.status >= 300) throw new Error(JSON.stringify(response.body))
  return response
}

/** Begins every text that has to be gone. */
export const mark = 'erasedmark'

/** The parts of a number of erasures. */
function partsOf(size: number) {
  const users = Math.max(2, Math.round(size * 0.02))
  const conversations = Math.round(size * 0.2)
  return { users, conversations, customers: size - users - conversations - 1 }
}

export interface Filled {
  tenantId: string
  goneTenantId: string
  token: string
  erased: { customers: string[]; conversations: string[]; users: string[] }
  stays: { customerId: string; conversationId: string }
}

/** Fills two tenants: one goes as a whole, and of the other what is named. */
export async function fill(url: string, size: number): Promise<Filled & { requests: string[] }> {
  const { token, tenant } = await registerTenant(url)
  const owner = as(url, token)
  const inboxId = (await owner('GET', '/api/v1/inboxes')).body.data[0]._id
  const customer = async (name: string, email: string) =>
    (await must(owner('POST', '/api/v1/customers', { firstName: name, email }))).body.data._id as string
  const conversation = async (subject: string, customerId: string) => {
    const message = { content: `${subject} asks` }
    const body = { subject, inboxId, customerId, message }
    return (await must(owner('POST', '/api/v1/conversations', body))).body.data._id as string
  }
  const { users, conversations, customers } = partsOf(size)
  const erased: Filled['erased'] = { customers: [], conversations: [], users: [] }
  const customerId = await customer('Stays', 'stays@example.com')
  const stays = { customerId, conversationId: await conversation('A question that stays', customerId) }
  for (let i = 0; i < customers; i += 1) {
    const id = await customer(`${mark} ${i}`, `${mark}${i}@example.com`)
    erased.customers.push(id)
    await conversation(`${mark} of customer ${i}`, id)
  }
  for (let i = 0; i < conversations; i += 1)
    erased.conversations.push(await conversation(`${mark} conversation ${i}`, customerId))
  const requests: string[] = []
  for (let i = 0; i < users; i += 1) {
    const email = `${mark}user${i}@example.com`
    const invited = await must(
      owner('POST', '/api/v1/users', { email, role: 'agent', firstName: `${mark} user ${i}` }),
    )
    const { inviteToken, _id: id } = invited.body.data
    const accepted = await must(as(url)('POST', '/api/auth/accept-invite', { token: inviteToken, password }))
    const user = as(url, accepted.body.data.accessToken)
    await must(user('POST', `/api/v1/conversations/${stays.conversationId}/messages`, { content: 'Hello' }))
    const asked = await must(user('POST', '/api/data-privacy/deletion-request', { reason: `${mark} reason` }))
    requests.push(asked.body.request.id)
    erased.users.push(id)
  }
  const gone = await registerTenant(url)
  for (let i = 0; i < 3; i += 1)
    await must(
      as(url, gone.token)('POST', '/api/v1/customers', {
        firstName: `${mark} of a tenant`,
        email: `${mark}tenant${i}@example.com`,
      }),
    )
  return { tenantId: tenant._id, goneTenantId: gone.tenant._id, token, erased, stays, requests }
}

/** Erases everything that is named, as people and the operator do. */
export async function eraseAll(
  url: string,
  { token, erased, requests, goneTenantId }: Filled & { requests: string[] },
  env: Record<string, string>,
): Promise<void> {
  const owner = as(url, token)
  const deletion = runProgram(serverProgram, ['tenants', 'delete', goneTenantId, '--yes'], { env })
  for (const id of erased.customers) await must(owner('DELETE', `/api/v1/customers/${id}`))
  for (const id of erased.conversations) await must(owner('DELETE', `/api/v1/conversations/${id}`))
  for (const id of requests) await must(owner('POST', `/api/tenant/privacy-requests/${id}/approve`, {}))
  const { code, stderr } = await deletion
  expect([code, stderr]).toEqual([0, stderr])
}

interface Line {
  kind: keyof Filled['erased'] | 'tenants'
  id: string
}

export function linesOf(file: string): Line[] {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line) as Line)
}

/** Returns what no line names. */
export function missingIn(file: string, { erased, goneTenantId }: Filled): string[] {
  const named = new Set(linesOf(file).map(({ kind, id }) => `${kind} ${id}`))
  const all = Object.entries(erased).flatMap(([kind, ids]) => ids.map((id) => `${kind} ${id}`))
  return [...all, `tenants ${goneTenantId}`].filter((one) => !named.has(one))
}

/** Asks for everything that is erased; returns the paths that somebody gets. */
export async function foundAgain(url: string, { token, erased }: Filled): Promise<string[]> {
  const found: string[] = []
  for (const [kind, ids] of Object.entries(erased))
    for (const id of ids) {
      const at = `/api/v1/${kind}/${id}`
      const { status } = await as(url, token)('GET', at)
      if (status !== 404) found.push(`${status} ${at}`)
    }
  return found
}

export async function isIdle({ system }: Storage): Promise<boolean> {
  return (await system.listTasks(1)).length === 0
}

/** Starts a server that is killed on the way; returns when it is dead. */
export async function startUntilDead(env: Record<string, string>): Promise<Program | undefined> {
  const server = await startProgram(serverProgram, ['start', '--dev'], env).catch(() => undefined)
  if (server === undefined) return undefined
  const isDead = () => server.process.exitCode !== null || server.process.signalCode !== null
  await expect.poll(isDead, { timeout: 120_000 }).toBe(true)
  return server
}

export { as, must }
