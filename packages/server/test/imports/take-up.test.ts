import { expect, onTestFinished, test } from 'vitest'
import { createRunImports } from '../../src/imports/import-job.ts'
import { takeUp } from '../../src/imports/run/take-up.ts'
import { StorageUnavailable } from '../../src/storage/errors.ts'
import type { ImportUndoRecord } from '../../src/storage/kinds/import-undo.ts'
import type { TenantId } from '../../src/storage/records.ts'
import { insertOf, sample } from '../contracts/storage/samples.contract.ts'
import { type Imports, openImports } from './import-harness.ts'
import { MemorySource } from './memory-source.ts'

const tenantId = 'ten_1' as TenantId
const ref = (runId: string) => ({ tenantId, runId })

/** The job works for tenants that are there. */
async function openServed(source: MemorySource): Promise<Imports> {
  const imports = await openImports(source.open)
  const row = sample.tenants(tenantId, { _id: tenantId, isSuspended: false })
  await imports.storage.system.commit(tenantId, { writes: [insertOf('tenants', row)], events: [] })
  return imports
}

/** The job of imports with a clock that the test moves. Its work is awaited by stopping it. */
function jobOf({ parts, storage }: Imports) {
  let nowMs = Date.now() + 1_000
  const clock = { ...parts.clock, nowMs: () => nowMs }
  const withClock = { ...parts, storage, clock }
  return {
    parts: withClock,
    /** Lets time pass, and does what is due then. */
    async after(ms: number) {
      nowMs += ms
      const job = createRunImports(withClock)
      await job.runDue()
      await settled(job)
    },
  }
}

/** Ends the job when its runs have ended by themselves. */
async function settled(job: ReturnType<typeof createRunImports>): Promise<void> {
  await expect.poll(() => job.activeCount()).toBe(0)
  await job.stop?.()
}

function failing(): { source: MemorySource; tries: () => number } {
  const source = new MemorySource()
  source.put({ module: 'Contacts', id: '1', fields: { lastName: 'Lovelace' } })
  let tries = 0
  source.beforePage = () => {
    tries += 1
    throw new TypeError('target.startsWith is not a function')
  }
  return { source, tries: () => tries }
}

test('a run that any program error stops is taken up five times, 1, 5, 15 and 60 s apart, and fails then', async () => {
  const { source, tries } = failing()
  const imports = await openServed(source)
  const runId = await imports.start()
  const job = jobOf(imports)
  await job.after(0)
  for (const [waitMs, expected] of [
    [999, 1],
    [1, 2],
    [4_999, 2],
    [1, 3],
    [14_999, 3],
    [1, 4],
    [59_999, 4],
  ] as const) {
    await job.after(waitMs)
    expect(tries()).toBe(expected)
    expect((await imports.runOf(runId)).status).toBe('running')
  }
  await job.after(1)
  expect(tries()).toBe(5)
  expect(await imports.runOf(runId)).toMatchObject({
    status: 'failed',
    error: { code: 'INTERNAL_ERROR', message: 'The service failed on this import' },
  })
  expect(await imports.store.integrations.find('int_1')).toMatchObject({
    syncStatus: 'failed',
    activeRunId: null,
  })
  await job.after(600_000)
  expect(tries()).toBe(5)
})

test.each([
  ['a full disk', () => Object.assign(new Error('no space left on device, write'), { code: 'ENOSPC' })],
  ['bytes that cannot be read', () => Object.assign(new Error('i/o error, read'), { code: 'EIO' })],
  ['a database that is away', () => new StorageUnavailable('away')],
])('no number of tries ends a run that %s stops; it waits 1, 5 and 15 s', async (_what, errorOf) => {
  const source = new MemorySource()
  source.put({ module: 'Contacts', id: '1', fields: { lastName: 'Lovelace' } })
  let tries = 0
  source.beforePage = () => {
    tries += 1
    throw errorOf()
  }
  const imports = await openServed(source)
  const runId = await imports.start()
  let nowMs = Date.now() + 1_000
  const clock = { ...imports.parts.clock, nowMs: () => nowMs }
  // One process: what a process knows of its tries is lost with it.
  const job = createRunImports({ ...imports.parts, storage: imports.storage, clock })
  onTestFinished(() => job.stop?.())
  const after = async (ms: number) => {
    nowMs += ms
    await job.runDue()
    await expect.poll(() => job.activeCount()).toBe(0)
  }
  await after(0)
  const waits = [1_000, 5_000, ...Array.from({ length: 8 }, () => 15_000)]
  for (const [index, waitMs] of waits.entries()) {
    await after(waitMs - 1)
    expect([tries, (await imports.runOf(runId)).status]).toEqual([index + 1, 'running'])
    await after(1)
  }
  expect(tries).toBe(waits.length + 1)
  source.beforePage = () => {}
  await after(15_000)
  expect((await imports.runOf(runId)).status).toBe('completed')
})

test('a run whose checkpoint moves is taken up anew, and what it wrote before it failed stays', async () => {
  const source = new MemorySource({ pageSize: 1 })
  for (const id of ['1', '2', '3']) source.put({ module: 'Contacts', id, fields: { lastName: `N${id}` } })
  let tries = 0
  source.beforePage = () => {
    tries += 1
    if (tries === 1 || source.pagesRead >= 2) throw new TypeError('a program error')
  }
  const imports = await openServed(source)
  const runId = await imports.start()
  const job = jobOf(imports)
  // The second take-up writes two pages, so the five begin behind it.
  for (let times = 1; times <= 6; times++) await job.after(60_000)
  expect((await imports.runOf(runId)).status).toBe('running')
  await job.after(60_000)
  expect(await imports.runOf(runId)).toMatchObject({ status: 'failed', error: { code: 'INTERNAL_ERROR' } })
  expect((await imports.customers()).map(({ profile }) => profile.lastName)).toEqual(['N1', 'N2'])
})

test('a run that ends its process each time fails too: it is counted before its work begins', async () => {
  const imports = await openServed(failing().source)
  const runId = await imports.start()
  const takesUp: boolean[] = []
  for (let times = 1; times <= 6; times++) takesUp.push(await takeUp(imports.parts, ref(runId)))
  expect(takesUp).toEqual([true, true, true, true, true, false])
  expect(await imports.runOf(runId)).toMatchObject({ status: 'failed', error: { code: 'INTERNAL_ERROR' } })
})

test('a service that ends on purpose does not count against the runs that it stopped', async () => {
  const source = new MemorySource()
  source.put({ module: 'Contacts', id: '1', fields: { lastName: 'Lovelace' } })
  const imports = await openServed(source)
  const runId = await imports.start()
  const job = createRunImports({ ...imports.parts, storage: imports.storage })
  const reached = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  source.beforePage = async () => {
    reached.resolve()
    await goOn.promise
  }
  await job.runDue()
  await reached.promise
  const stopped = job.stop?.()
  source.beforePage = () => {}
  goOn.resolve()
  await stopped
  const { status, takesUp } = await imports.runOf(runId)
  expect(status === 'completed' || takesUp === 0).toBe(true)
})

test('an undo that a program error stops each time ends as failed, and gives the integration back', async () => {
  const source = new MemorySource()
  source.put({ module: 'Contacts', id: '1', fields: { lastName: 'Lovelace' } })
  const imports = await openServed(source)
  const run = await imports.importAll()
  // No code knows such rows: each try to restore one throws.
  const strange: ImportUndoRecord = JSON.parse(
    JSON.stringify({ ...sample.importUndo(tenantId, { runId: run._id }), entityKind: 'nothing' }),
  )
  await imports.store.commit({ writes: [insertOf('importUndo', strange)], events: [] })
  const undo = { ...run.undo, status: 'running' as const, startedAt: new Date().toISOString() }
  const { version: expectVersion, _id: id } = await imports.runOf(run._id)
  await imports.store.commit({
    writes: [{ op: 'update', kind: 'importRuns', id, expectVersion, set: { undo } }],
    events: [],
  })
  const job = jobOf(imports)
  for (let times = 1; times <= 5; times++) await job.after(60_000)
  expect(await imports.runOf(run._id)).toMatchObject({ status: 'completed', undo: { status: 'failed' } })
  const integration = await imports.store.integrations.find('int_1')
  expect(integration).toMatchObject({ syncStatus: 'failed', activeRunId: null })
})
