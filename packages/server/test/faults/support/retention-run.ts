import { expect } from 'vitest'
import { saveSetting } from '../../../src/jobs/save-setting.ts'
import type { Storage } from '../../../src/ports/storage.ts'
import { isoTime } from '../../../src/shared/clock.ts'
import type { TenantId } from '../../../src/storage/records.ts'
import { registerTenant, upload } from '../../support/call.ts'
import { serverProgram, startProgram } from '../../support/programs.ts'
import { as, isIdle, killAt, linesOf, must, startUntilDead } from './erasure-run.ts'

const setting = 'nextRetention'
const lease = 'tenantRetention'
const long = '2020-01-01T00:00:00.000Z'
const aged = 5

interface RetentionWorld {
  env: Record<string, string>
  /** Opens the data, also beside a server. */
  open(): Promise<Storage>
  ledger: string
}

/** Kills the job that erases what a tenant keeps no longer between two rows repeatedly, and lets it end. */
export async function runRetentionKills({ env, open, ledger }: RetentionWorld): Promise<void> {
  const start = () => startProgram(serverProgram, ['start', '--dev'], env)
  const withStorage = async <T>(use: (storage: Storage) => Promise<T>): Promise<T> => {
    const storage = await open()
    return use(storage).finally(() => storage.close())
  }
  const first = await start()
  const { token, tenant } = await registerTenant(first.url)
  const made = await fill(first.url, token)
  await first.kill('SIGTERM')
  await withStorage((storage) => makeOld(storage, tenant._id, made))

  // Of ten rows, each server erases some.
  for (const passage of [1, 3, 2]) {
    await withStorage(makeDue)
    const killed = await startUntilDead({ ...env, ...killAt('between-retained-rows', passage) })
    expect(killed?.process.signalCode ?? 'SIGKILL').toBe('SIGKILL')
  }
  await withStorage(makeDue)
  const last = await start()
  const owner = as(last.url, token)
  const eventsOf = async (type: string): Promise<{ data: Record<string, string> }[]> =>
    (await must(owner('GET', `/api/v1/events?types=${type}&limit=100`))).body.data
  await expect.poll(async () => (await eventsOf('message.updated')).length, { timeout: 120_000 }).toBe(aged)
  // A line is written before the database knows it, so a kill may repeat one: it is the same erasure.
  const named = () => [...new Set(linesOf(ledger).map(({ kind, id }) => `${kind} ${id}`))].sort()
  await expect.poll(() => named().length, { timeout: 120_000 }).toBe(aged)

  const sorted = (ids: (string | undefined)[]) => ids.toSorted()
  expect(sorted((await eventsOf('conversation.deleted')).map(({ data }) => data['_id']))).toEqual(
    sorted(made.old),
  )
  expect(named()).toEqual(sorted(made.old.map((id) => `conversations ${id}`)))
  const audit = (await must(owner('GET', '/api/tenant/audit-log?limit=100'))).body.data
  const erased = audit.filter(({ action }: { action: string }) => action === 'conversation.deleted')
  expect(sorted(erased.map(({ target }: { target: { _id: string } }) => target._id))).toEqual(
    sorted(made.old),
  )
  const statusOf = async (path: string) => (await owner('GET', path)).status
  for (const id of made.old) expect(await statusOf(`/api/v1/conversations/${id}`)).toBe(404)
  for (const id of made.oldFiles) expect(await statusOf(`/api/v1/attachments/${id}`)).toBe(404)
  expect(await statusOf(`/api/v1/attachments/${made.recentFile}`)).toBe(200)
  const { data } = (await must(owner('GET', `/api/v1/conversations/${made.stays}/messages?limit=100`))).body
  const files = data.flatMap(
    ({ attachments }: { attachments: { filename: string; removedAt?: string }[] }) => attachments,
  )
  expect(files).toHaveLength(aged + 1)
  expect(files.filter(({ removedAt }: { removedAt?: string }) => removedAt === undefined)).toMatchObject([
    { filename: 'recent.txt' },
  ])
  await withStorage((storage) => expect.poll(() => isIdle(storage), { timeout: 120_000 }).toBe(true))
  expect(await last.kill('SIGTERM')).toBe(0)
}

interface Made {
  old: string[]
  oldFiles: string[]
  stays: string
  recentFile: string
}

/** Makes closed conversations, and an open one whose messages have a file each. */
async function fill(url: string, token: string): Promise<Made> {
  const owner = as(url, token)
  const inboxId = (await owner('GET', '/api/v1/inboxes')).body.data[0]._id
  const conversation = async (subject: string): Promise<string> =>
    (await must(owner('POST', '/api/v1/conversations', { subject, inboxId, message: { content: 'Hi' } })))
      .body.data._id
  const stays = await conversation('stays')
  const old: string[] = []
  const attach = async (name: string): Promise<string> => {
    const file = new File([`the bytes of ${name}`], `${name}.txt`)
    const id: string = (await upload(url, { token, file }))._id
    const body = { content: name, attachments: [id] }
    await must(owner('POST', `/api/v1/conversations/${stays}/messages`, body))
    return id
  }
  const oldFiles: string[] = []
  for (let n = 0; n < aged; n += 1) {
    const id = await conversation(`old ${n}`)
    await must(owner('PUT', `/api/v1/conversations/${id}`, { status: 'closed' }))
    old.push(id)
    oldFiles.push(await attach(`old ${n}`))
  }
  const retention = { closedConversationMonths: 12, attachmentMonths: 12 }
  await must(owner('PUT', '/api/tenant', { retention }))
  return { old, oldFiles, stays, recentFile: await attach('recent') }
}

async function makeOld({ forTenant }: Storage, tenantId: string, { old, oldFiles }: Made): Promise<void> {
  const store = forTenant(tenantId as TenantId)
  const closed = await store.conversations.findAll(old)
  const files = await store.attachments.findAll(oldFiles)
  await store.commit({
    writes: [
      ...closed.map(({ _id: id, version: expectVersion }) => {
        const set = { updatedAt: long, closedAt: long }
        return { op: 'update', kind: 'conversations', id, expectVersion, set } as const
      }),
      ...files.map(({ _id: id, version: expectVersion }) => {
        return { op: 'update', kind: 'attachments', id, expectVersion, set: { createdAt: long } } as const
      }),
    ],
    events: [],
  })
}

/** The next process runs the job at its start: it is due, and the lease of the one before has ended. */
async function makeDue({ system }: Storage): Promise<void> {
  await saveSetting(system, { name: setting, value: long, now: isoTime(Date.now()) })
  const later = isoTime(Date.now() + 600_000)
  expect(await system.takeLease({ name: lease, holder: 'test', now: later, leaseMs: 60_000 })).toBe(true)
  await system.releaseLease({ name: lease, holder: 'test' })
}
