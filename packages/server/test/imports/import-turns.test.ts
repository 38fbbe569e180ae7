import { newIntegration } from '@crmkit/core'
import { expect, onTestFinished, test } from 'vitest'
import { createRunImports } from '../../src/imports/import-job.ts'
import { newRun } from '../../src/imports/run/new-run.ts'
import type { TenantId } from '../../src/storage/records.ts'
import { insertOf, sample } from '../contracts/storage/samples.contract.ts'
import { openImports } from './import-harness.ts'
import { MemorySource } from './memory-source.ts'

/** Rows that no test waits for. */
const manyRows = 3_000

/** Each source has people of its own: one person of two sources would be one customer. */
function sourceOf(name: string, rows: number): MemorySource {
  const source = new MemorySource({ pageSize: 1 })
  for (let row = 1; row <= rows; row++)
    source.put({ module: 'Contacts', id: `${name} ${row}`, fields: { lastName: `${name} ${row}` } })
  return source
}

/** Tenants that start imports of one source each, and the job that runs them with a clock that the test moves. */
async function openTurns(rowsOf: Record<string, number>) {
  const { storage, parts } = await openImports(() => sourceOf('none', 0).open())
  let laterMs = 0
  const job = createRunImports({
    ...parts,
    storage,
    openSource: ({ _id, tenantId }) => sourceOf(_id, rowsOf[tenantId] ?? 0).open(),
    clock: { ...parts.clock, nowMs: () => Date.now() + laterMs },
  })
  onTestFinished(async () => {
    await job.stop?.()
  })
  for (const tenantId of Object.keys(rowsOf) as TenantId[]) {
    const row = sample.tenants(tenantId, { _id: tenantId, isSuspended: false, limits: {} })
    await storage.system.commit(tenantId, { writes: [insertOf('tenants', row)], events: [] })
  }

  async function start(tenantId: string, name: string, given: { dryRun?: boolean } = {}): Promise<string> {
    const now = new Date().toISOString()
    const account = { accountName: null, accountEmail: null, apiDomain: null }
    const source = { provider: 'zoho' as const, accountId: name, ...account }
    const made = newIntegration({ id: `int_${name}`, tenantId, now, source })
    const internal = { accountsServer: null, sealed: null, activeRunId: null, syncedUntil: null }
    const integration = { ...made, ...internal, deletedReadAt: null, failedSyncs: 0 }
    const run = newRun({
      id: `imp_${name}`,
      tenantId,
      now,
      integrationId: integration._id,
      trigger: 'manual',
      selection: made.importSettings,
      ...given,
    })
    const writes = [insertOf('integrations', integration), insertOf('importRuns', run)]
    await storage.forTenant(tenantId as TenantId).commit({ writes, events: [] })
    return run._id
  }
  const runOf = (tenantId: string, id: string) => storage.forTenant(tenantId as TenantId).importRuns.find(id)
  return {
    job,
    start,
    runOf,
    statusOf: async (tenantId: string, id: string) => (await runOf(tenantId, id))?.status,
    letPass: (ms: number) => {
      laterMs += ms
    },
  }
}

test('a tenant whose imports have every place gives one to another tenant at once, and its run goes on afterwards', async () => {
  const { job, start, runOf, statusOf } = await openTurns({ ten_a: manyRows, ten_b: 3 })
  const large = await Promise.all(['a1', 'a2', 'a3', 'a4'].map((name) => start('ten_a', name)))
  const readOf = async (id: string) => (await runOf('ten_a', id))?.modules['Contacts']?.read ?? 0
  await job.runDue()
  expect(job.activeCount()).toBe(4)
  const small = await start('ten_b', 'b1')
  await job.runDue()
  await expect.poll(() => statusOf('ten_b', small), { interval: 5 }).toBe('completed')
  await expect.poll(job.activeCount).toBe(3)
  const read = await Promise.all(large.map(readOf))
  await job.runDue()
  expect(job.activeCount()).toBe(4)
  for (const [at, id] of large.entries()) {
    await expect.poll(() => readOf(id)).toBeGreaterThan(read[at] ?? 0)
    expect(await statusOf('ten_a', id)).toBe('running')
  }
})

test('five tenants with a large import each share four places, so that each advances', async () => {
  const tenants = ['ten_a', 'ten_b', 'ten_c', 'ten_d', 'ten_e']
  const { job, start, statusOf, letPass } = await openTurns(
    Object.fromEntries(tenants.map((tenantId) => [tenantId, manyRows])),
  )
  const runs = await Promise.all(tenants.map((tenantId) => start(tenantId, tenantId)))
  const last = async () => statusOf('ten_e', runs[4] ?? '')
  await job.runDue()
  await job.runDue()
  expect([job.activeCount(), await last()]).toEqual([4, 'queued'])
  letPass(5_000)
  await job.runDue()
  expect(job.activeCount()).toBe(4)
  await expect.poll(last).toBe('running')
})

test('a dry run, which would begin anew, keeps the last place of its tenant', async () => {
  const tenants = ['ten_a', 'ten_b', 'ten_c', 'ten_d', 'ten_e']
  const { job, start, statusOf, letPass } = await openTurns(
    Object.fromEntries(tenants.map((tenantId) => [tenantId, manyRows])),
  )
  const runs = await Promise.all(tenants.map((tenantId) => start(tenantId, tenantId, { dryRun: true })))
  await job.runDue()
  letPass(60_000)
  await job.runDue()
  expect([job.activeCount(), await statusOf('ten_e', runs[4] ?? '')]).toEqual([4, 'queued'])
})
