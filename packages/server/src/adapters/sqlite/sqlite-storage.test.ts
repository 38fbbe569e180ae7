import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rename, rm, rmdir, stat, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { rejection } from '../../../test/contracts/storage/harness.contract.ts'
import { add, sample, sampleEvent } from '../../../test/contracts/storage/samples.contract.ts'
import type { Storage } from '../../ports/storage.ts'
import { StorageUnavailable } from '../../storage/errors.ts'
import type { TenantId } from '../../storage/records.ts'
import { openSqliteStorage } from './sqlite-storage.ts'

function newFolder(): Promise<string> {
  return mkdtemp(path.join(tmpdir(), 'crmkit-sqlite-'))
}

const tenantId = 'ten_1' as TenantId
const all = { page: 1, limit: 100 }

/** Runs the program as a process of its own. */
function startFixture(task: string, file: string) {
  const program = fileURLToPath(new URL('../../../test/support/sqlite-program.ts', import.meta.url))
  const child = spawn(process.execPath, ['--conditions=@crmkit/source', program, task, file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return { child, lines: createInterface({ input: child.stdout }), exited: once(child, 'exit') }
}

/** The bytes that this process has written to files, counted by Linux. */
async function bytesWritten(): Promise<number> {
  return Number(/^wchar: (\d+)$/m.exec(await readFile('/proc/self/io', 'utf8'))?.[1])
}

function integrityOf(file: string): unknown {
  const db = new Database(file)
  try {
    for (const table of ['customer_search', 'conversation_search', 'message_search']) {
      db.exec(`INSERT INTO ${table} (${table}) VALUES ('integrity-check')`)
    }
    return db.pragma('integrity_check', { simple: true })
  } finally {
    db.close()
  }
}

describe('the SQLite file', () => {
  let folder: string
  let file: string
  beforeEach(async () => {
    folder = await newFolder()
    file = path.join(folder, 'crm.db')
  })
  afterEach(() => rm(folder, { recursive: true }))

  async function withStorage<T>(use: (storage: Storage) => Promise<T>, maxPages?: number): Promise<T> {
    const storage = await openSqliteStorage({ path: file, maxPages })
    try {
      return await use(storage)
    } finally {
      await storage.close()
    }
  }

  test('keeps every acknowledged commit, whole, when its process is killed at any moment', async () => {
    const acknowledged = new Set<string>()
    for (let round = 0; round < 5; round++) {
      const { child, lines, exited } = startFixture('write', file)
      const killAfter = acknowledged.size + 20 + round * 37
      for await (const line of lines) {
        acknowledged.add(line)
        if (acknowledged.size >= killAfter) child.kill('SIGKILL')
      }
      await exited
    }
    expect(acknowledged.size).toBeGreaterThan(200)
    expect(integrityOf(file)).toBe('ok')
    await withStorage(async (storage) => {
      const store = storage.forTenant(tenantId)
      const found = await Promise.all([...acknowledged].map((id) => store.customers.find(id)))
      expect(found.every(Boolean)).toBe(true)
      const events = await Promise.all([...acknowledged].map((id) => store.events.find(`evt_${id}`)))
      expect(events.every(Boolean)).toBe(true)
      const { total } = await store.customers.list({ ...all, sort: 'createdAt' })
      const searched = await store.customers.list({ ...all, sort: 'createdAt', search: 'lovelace' })
      const attempts = await store.attempts.list({ ...all, webhookId: 'whk_1' })
      expect([searched.total, attempts.total]).toEqual([total, total])
    })
  })

  test('repeats the running attempts of a killed process immediately, and none while that process lives', async () => {
    await withStorage(async (storage) => {
      const store = storage.forTenant(tenantId)
      await add(store, 'webhooks', [{ _id: 'w1' }])
      await store.commit({ writes: [], events: [sampleEvent(), sampleEvent(), sampleEvent()] })
    })
    const { child, lines, exited } = startFixture('claim', file)
    for await (const line of lines) {
      expect(line).toBe('3')
      break
    }
    await withStorage(async (storage) => {
      const { system } = storage
      const deliveryQueue = { tenantId, webhookId: 'w1', isRetry: false, limit: 10 }
      const lease = {
        now: new Date().toISOString(),
        leaseMs: 60_000,
        lockToken: 'next',
        deliveryQueues: [deliveryQueue],
      }
      expect(await system.listDeliveryQueues({ limit: 10 })).toEqual({ deliveryQueues: [], next: null })
      expect(await system.claimDueAttempts(lease)).toEqual([{ claims: [], nextAt: null }])
      child.kill('SIGKILL')
      await exited
      const [claimed] = await system.claimDueAttempts(lease)
      expect(claimed?.claims).toHaveLength(3)
    })
  })

  test('is created once when two processes open it at the same moment', async () => {
    const opened = ['open', 'open', 'open'].map((task) => startFixture(task, file))
    const codes = await Promise.all(opened.map(async ({ exited }) => (await exited)[0] as number))
    expect(codes).toEqual([0, 0, 0])
    await withStorage(async (storage) => {
      const { total } = await storage.forTenant(tenantId).customers.list({ ...all, sort: 'createdAt' })
      expect(total).toBe(3)
    })
  })

  test('applies simultaneous commits in the order of their calls, each of which sees the earlier ones', async () => {
    await withStorage(async (storage) => {
      const store = storage.forTenant(tenantId)
      await Promise.all([
        add(store, 'webhooks', [{ _id: 'whk_1' }]),
        store.commit({ writes: [], events: [sampleEvent()] }),
        store.commit({
          writes: [{ op: 'remove', kind: 'webhooks', id: 'whk_1', expectVersion: 1 }],
          events: [],
        }),
        add(store, 'webhooks', [{ _id: 'whk_2' }]),
        store.commit({ writes: [], events: [sampleEvent()] }),
      ])
      expect((await store.attempts.list({ ...all, webhookId: 'whk_1' })).total).toBe(0)
      expect((await store.attempts.list({ ...all, webhookId: 'whk_2' })).total).toBe(1)
    })
  })

  test('sees writes of another process immediately, also its webhooks', async () => {
    await withStorage(async (storage) => {
      const store = storage.forTenant(tenantId)
      await store.commit({ writes: [], events: [sampleEvent()] })
      await startFixture('webhook', file).exited
      await store.commit({ writes: [], events: [sampleEvent()] })
      expect((await store.attempts.list({ ...all, webhookId: 'whk_1' })).total).toBe(1)
    })
  })

  test('on a full disk refuses writes as unavailable, keeps its data and writes no change partially', async () => {
    const stored: string[] = []
    let lost: string[] = []
    await withStorage(async (storage) => {
      const store = storage.forTenant(tenantId)
      await add(store, 'webhooks', [{ _id: 'whk_1' }])
      for (let error: unknown; error === undefined; ) {
        const rows = Array.from({ length: 5 }, () =>
          sample.customers(tenantId, { jobTitle: 'x'.repeat(2_000) }),
        )
        const writes = rows.map((row) => ({ op: 'insert', kind: 'customers', row }) as const)
        const ids = rows.map(({ _id }) => _id)
        const outcome = store.commit({ writes, events: [sampleEvent()] }).then(() => undefined)
        error = await outcome.catch((reason: unknown) => reason ?? 'unknown')
        if (error === undefined) stored.push(...ids)
        else lost = ids
        if (error !== undefined) expect(error).toBeInstanceOf(StorageUnavailable)
      }
      expect(await store.customers.find(stored[0] ?? '')).toBeDefined()
    }, 400)
    expect(stored.length).toBeGreaterThan(0)
    expect(integrityOf(file)).toBe('ok')
    await withStorage(async (storage) => {
      const store = storage.forTenant(tenantId)
      const { total } = await store.customers.list({ ...all, sort: 'createdAt' })
      expect(total).toBe(stored.length)
      expect((await store.customers.list({ ...all, sort: 'createdAt', search: 'ada' })).total).toBe(
        stored.length,
      )
      expect((await store.attempts.list({ ...all, webhookId: 'whk_1' })).total).toBe(stored.length / 5)
      for (const id of lost) expect(await store.customers.find(id)).toBeUndefined()
      await add(store, 'customers', [{ _id: lost[0] ?? '' }])
    })
  })

  test.runIf(process.platform === 'linux')(
    'writes a changed page to its log and to no file that undoes the change',
    async () => {
      await withStorage(async (storage) => {
        const store = storage.forTenant(tenantId)
        const made = await add(
          store,
          'customers',
          Array.from({ length: 300 }, () => ({})),
        )
        const [logBefore, before] = [await stat(`${file}-wal`), await bytesWritten()]
        const writes = made.map(({ _id }) => {
          return {
            op: 'update',
            kind: 'customers',
            id: _id,
            expectVersion: 1,
            set: { jobTitle: 'x' },
          } as const
        })
        await store.commit({ writes, events: [] })
        const written = (await bytesWritten()) - before
        const logged = (await stat(`${file}-wal`)).size - logBefore.size
        expect(logged).toBeGreaterThan(200_000)
        expect(written).toBeLessThan(1.3 * logged)
      })
    },
  )

  test('is opened for the next search when opening it for one failed', async () => {
    await withStorage(async (storage) => {
      const store = storage.forTenant(tenantId)
      await add(store, 'customers', [{}])
      const search = () => store.customers.list({ ...all, sort: 'createdAt', search: 'ada' })
      await rename(file, `${file}.away`)
      await mkdir(file)
      expect(await rejection(search())).toBeInstanceOf(StorageUnavailable)
      await rmdir(file)
      await rename(`${file}.away`, file)
      expect((await search()).total).toBe(1)
    })
  })

  test('is closed even when its log cannot be copied back', async () => {
    const storage = await openSqliteStorage({ path: file })
    await add(storage.forTenant(tenantId), 'customers', [{}])
    await truncate(`${file}-wal`)
    await storage.close()
    expect(await rejection(storage.system.hasTenants())).toBeInstanceOf(StorageUnavailable)
  })

  test('is refused before anything is written when it is no database or has a newer version', async () => {
    const db = new Database(file)
    db.pragma('user_version = 999')
    db.close()
    expect(String(await rejection(openSqliteStorage({ path: file })))).toContain('newer')
    expect(
      await rejection(openSqliteStorage({ path: path.join(folder, 'no', 'such', 'folder', 'crm.db') })),
    ).toBeInstanceOf(Error)
  })
})
