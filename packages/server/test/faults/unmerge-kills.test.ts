import { once } from 'node:events'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openSqliteStorage } from '../../src/adapters/sqlite/sqlite-storage.ts'
import { registerTenant } from '../support/call.ts'
import { type Program, serverProgram, startProgram } from '../support/programs.ts'
import { as, isIdle, killAt, must, newFolder } from './support/erasure-run.ts'

/** More than go back in one commit. */
const conversations = 720

const ended = async ({ process }: Program) => {
  if (process.exitCode === null && process.signalCode === null) await once(process, 'exit')
}

test('a merge and its way back go on after kills between their pages, and every conversation has its owner', {
  timeout: 600_000,
}, async () => {
  const { folder, remove } = newFolder()
  onTestFinished(remove)
  const env = { PORT: '0', CRM_DATA_DIR: folder, CRM_LOG_LEVEL: 'error' }
  const start = (more: Record<string, string> = {}) =>
    startProgram(serverProgram, ['start', '--dev'], { ...env, ...more })
  const settle = async () => {
    const storage = await openSqliteStorage({ path: path.join(folder, 'crm.sqlite') })
    await expect.poll(() => isIdle(storage), { timeout: 120_000, interval: 200 }).toBe(true)
    await storage.close()
  }

  const first = await start()
  const { token } = await registerTenant(first.url)
  const owner = as(first.url, token)
  const inboxId = (await owner('GET', '/api/v1/inboxes')).body.data[0]._id
  const newCustomer = async (firstName: string): Promise<string> =>
    (await must(owner('POST', '/api/v1/customers', { firstName }))).body.data._id
  const [targetId, sourceId] = [await newCustomer('Ada'), await newCustomer('Grace')]
  const newConversation = async (customerId: string, subject: string) =>
    must(owner('POST', '/api/v1/conversations', { subject, inboxId, customerId }))
  await newConversation(targetId, 'Of the target')
  for (let n = 0; n < conversations; n += 40)
    await Promise.all(Array.from({ length: 40 }, (_, i) => newConversation(sourceId, `Number ${n + i}`)))
  await first.kill('SIGTERM')

  const countsOf = async ({ url }: Program) => {
    const list = async (id: string) =>
      (await as(url, token)('GET', `/api/v1/conversations?customerId=${id}&limit=1`)).body.pagination.total
    return [await list(targetId), await list(sourceId)]
  }
  const killed = async (passage: number, ask: (url: string) => Promise<unknown>) => {
    const server = await start(killAt('between-merge-pages', passage))
    // The server may die before it responds: the task is stored.
    await ask(server.url).catch(() => undefined)
    await ended(server)
    expect(server.process.signalCode).toBe('SIGKILL')
  }

  await killed(2, (url) => as(url, token)('POST', `/api/v1/customers/${targetId}/merge`, { sourceId }))
  await killed(3, async () => undefined)
  const merged = await start()
  await settle()
  expect(await countsOf(merged)).toEqual([conversations + 1, 0])
  await merged.kill('SIGTERM')

  await killed(2, (url) => as(url, token)('POST', `/api/v1/customers/${targetId}/unmerge`, { sourceId }))
  await killed(3, async () => undefined)
  const parted = await start()
  await settle()
  expect(await countsOf(parted)).toEqual([1, conversations])
  expect(await parted.kill('SIGTERM')).toBe(0)
})
