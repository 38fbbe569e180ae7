import path from 'node:path'
import { createIdFactory } from '@crmkit/core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { examineMongo } from '../../src/adapters/mongo/diagnosis/examine-mongo.ts'
import { examineSqlite } from '../../src/adapters/sqlite/diagnosis/examine-sqlite.ts'
import { createRunTasks } from '../../src/jobs/run-tasks.ts'
import { taskHandlers } from '../../src/main/compose/job-registry.ts'
import type { Storage } from '../../src/ports/storage.ts'
import type { TenantId } from '../../src/storage/records.ts'
import { assertUpgraded, readUpgrades } from '../../src/upgrades/rows-left.ts'
import { upgradeStep } from '../../src/upgrades/upgrade-step.ts'
import { changeStoredRow } from '../support/change-stored-row.ts'
import { noRecords } from '../support/no-records.ts'
import { silentLog } from '../support/silent-log.ts'
import { openTestDatabase } from '../support/test-world.ts'
import { add, insertOf, sample } from './storage/samples.contract.ts'

// The steps are planted: `oldNames` gives customers upper-case last names, `oldNotes` depends on it, and `oldHashes` is of
// the whole server.

type Opened = Awaited<ReturnType<typeof openTestDatabase>>

let opened: Opened
let nowMs = Date.parse('2026-11-21T12:00:00.000Z')
beforeEach(async () => {
  opened = await openTestDatabase()
})
afterEach(async () => {
  await opened.storage.close()
  await opened.remove()
})

const clock = { nowMs: () => nowMs }
const ids = createIdFactory(clock.nowMs)
const nameOf = ({ profile }: { profile: { lastName: string | null } }) => profile.lastName ?? ''

interface Planted {
  /** Called before the change of each row. */
  before?: (id: string) => Promise<void> | void
}

function stepsOf({ before }: Planted = {}) {
  const oldNames = upgradeStep({
    name: 'oldNames',
    kind: 'customers',
    since: '0.2.0',
    needs: (row) => nameOf(row) !== nameOf(row).toUpperCase(),
    async upgrade({ _id: id, version, profile }) {
      await before?.(id)
      const set = { profile: { ...profile, lastName: nameOf({ profile }).toUpperCase() } }
      return { writes: [{ op: 'update', kind: 'customers', id, expectVersion: version, set }] }
    },
  })
  const oldNotes = upgradeStep({
    name: 'oldNotes',
    kind: 'customers',
    since: '0.2.0',
    needs: ({ profile }) => profile.company !== nameOf({ profile }),
    async upgrade({ _id: id, version, profile }) {
      const set = { profile: { ...profile, company: nameOf({ profile }) } }
      return { writes: [{ op: 'update', kind: 'customers', id, expectVersion: version, set }] }
    },
  })
  const oldHashes = upgradeStep({
    name: 'oldHashes',
    kind: 'identities',
    since: '0.2.0',
    needs: ({ passwordHash }) => passwordHash !== 'new',
    async upgrade({ _id: id, version: expectVersion }) {
      const set = { passwordHash: 'new' }
      return { writes: [{ op: 'update', kind: 'identities', id, expectVersion, set }] }
    },
  })
  return [oldNames, oldNotes, oldHashes]
}

function job(planted: Planted = {}, storage: Storage = opened.storage, steps = stepsOf(planted)) {
  const holder = ids.next('tsk')
  return createRunTasks({
    storage,
    clock,
    ids,
    log: silentLog,
    attachments: { remove: async () => {} },
    handlers: taskHandlers,
    steps,
    senderOfMail: async () => null,
    erasures: noRecords,
    holder,
  })
}

async function newTenant(rows: readonly { _id: string; lastName: string }[]) {
  const { storage } = opened
  const id = ids.next('ten') as TenantId
  await storage.system.commit(id, {
    writes: [insertOf('tenants', sample.tenants(id, { _id: id }))],
    events: [],
  })
  const store = storage.forTenant(id)
  const made = rows.map(({ _id, lastName }) => ({
    _id,
    profile: { ...sample.customers(id).profile, lastName, company: null },
  }))
  await add(store, 'customers', made)
  return { id, store }
}

type Tenant = Awaited<ReturnType<typeof newTenant>>

const many = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ _id: `c${String(at).padStart(4, '0')}`, lastName: 'lovelace' }))

async function profilesOf({ store }: Tenant) {
  const { rows } = await store.customers.list({ page: 1, limit: 1000 })
  return rows.map(({ profile: { lastName, company } }) => [lastName, company].join())
}

async function doneOf({ id }: Tenant) {
  return (await opened.storage.system.findTenant(id))?.upgrades
}

const tasksLeft = async () => (await opened.storage.system.listTasks(100)).length

test('every tenant takes every step in its order, page after page, and is not asked again', async () => {
  const [small, large] = [await newTenant(many(3)), await newTenant(many(450))]
  await job().runDue()
  for (const [tenant, count] of [
    [small, 3],
    [large, 450],
  ] as const) {
    expect(await profilesOf(tenant)).toEqual(Array(count).fill('LOVELACE,LOVELACE'))
    expect(await doneOf(tenant)).toMatchObject({ oldNames: { skipped: 0 }, oldNotes: { skipped: 0 } })
  }
  expect(await tasksLeft()).toBe(0)
  const version = (await opened.storage.system.findTenant(small.id))?.version
  await job().runDue()
  expect((await opened.storage.system.findTenant(small.id))?.version).toBe(version)
})

test('a step of the whole server changes its rows once', async () => {
  const identity = sample.identities('' as TenantId, { _id: 'idn_1', passwordHash: 'old' })
  await opened.storage.system.commit('' as TenantId, {
    writes: [insertOf('identities', identity)],
    events: [],
  })
  await job().runDue()
  expect(await opened.storage.system.findIdentity('idn_1')).toMatchObject({ passwordHash: 'new', version: 2 })
  await job().runDue()
  expect(await opened.storage.system.findIdentity('idn_1')).toMatchObject({ version: 2 })
})

test('a process that stops in the middle of a page leaves what another one goes on with', async () => {
  const tenant = await newTenant(many(450))
  let seen = 0
  const stopping = job({
    before: () => {
      seen += 1
      if (seen === 250) void stopping.stop?.()
    },
  })
  await stopping.runDue()
  const waiting = await opened.storage.system.backlog(100)
  expect(waiting.rowsToUpgrade).toEqual({ oldNames: 50 })
  expect(waiting).toMatchObject({ tasks: 0, oldestTaskAt: null })
  const others: string[] = []
  await job({ before: (id) => void others.push(id) }).runDue()
  expect(others).toEqual(
    many(450)
      .slice(400)
      .map(({ _id }) => _id),
  )
  expect(await profilesOf(tenant)).toEqual(Array(450).fill('LOVELACE,LOVELACE'))
  expect((await opened.storage.system.backlog(100)).rowsToUpgrade).toEqual({})
})

test('a row that changes meanwhile keeps its change and gets its new form', async () => {
  const tenant = await newTenant(many(20))
  let isChanged = false
  const changing = job({
    before: async (id) => {
      if (id !== 'c0005' || isChanged) return
      isChanged = true
      const { version, profile } = (await tenant.store.customers.find(id)) ?? { version: 0 }
      const set = { profile: { ...sample.customers(tenant.id).profile, ...profile, lastName: 'byron' } }
      const write = { op: 'update', kind: 'customers', id, expectVersion: version, set } as const
      await tenant.store.commit({ writes: [write], events: [] })
    },
  })
  await changing.runDue()
  expect((await profilesOf(tenant)).toSorted()).toEqual([
    'BYRON,BYRON',
    ...Array(19).fill('LOVELACE,LOVELACE'),
  ])
  expect(await doneOf(tenant)).toMatchObject({ oldNames: { skipped: 0 } })
})

test('two processes at one page write each row once', async () => {
  const tenant = await newTenant(many(60))
  const second = job()
  let hasJoined = false
  const first = job({
    before: async (id) => {
      if (id !== 'c0030' || hasJoined) return
      hasJoined = true
      // Its lease has ended while it was suspended, and another process has taken it.
      nowMs += 60_000
      await second.runDue()
    },
  })
  await first.runDue()
  expect(await profilesOf(tenant)).toEqual(Array(60).fill('LOVELACE,LOVELACE'))
  const { rows } = await tenant.store.customers.list({ page: 1, limit: 100 })
  expect(new Set(rows.map(({ version }) => version))).toEqual(new Set([3]))
  expect(await tasksLeft()).toBe(0)
})

test('a tenant that a process of an earlier version makes meanwhile is upgraded too', async () => {
  const running = job()
  await running.runDue()
  const late = await newTenant(many(2))
  nowMs += 3_600_000
  await running.runDue()
  expect(await profilesOf(late)).toEqual(['LOVELACE,LOVELACE', 'LOVELACE,LOVELACE'])
})

test('a damaged row, and one at which the step fails, are skipped and counted and take no other row with them', async () => {
  const tenant = await newTenant(many(10))
  const { url, folder } = opened
  const databaseUrl = url ?? `sqlite:${path.join(folder, 'crm.db')}`
  await changeStoredRow({ databaseUrl, kind: 'customers', id: 'c0003' }, ({ tier, ...row }) => row)
  const failing = job({
    before: (id) => {
      if (id === 'c0007') throw new TypeError('planted')
    },
  })
  await failing.runDue()
  expect(await doneOf(tenant)).toMatchObject({ oldNames: { skipped: 2 } })
  const { rows } = await tenant.store.customers.list({ page: 1, limit: 100 })
  const left = rows.filter(({ profile }) => profile.lastName !== 'LOVELACE')
  expect(left.map(({ _id }) => _id)).toEqual(['c0007'])
  expect(await tasksLeft()).toBe(0)
})

test('other tasks of all tenants come before the rows of an upgrade', async () => {
  await newTenant(many(2))
  const stopping = job({ before: () => void stopping.stop?.() })
  await stopping.runDue()
  const tenant = await newTenant([])
  const row = sample.tasks(tenant.id, { _id: ids.next('tsk') })
  await tenant.store.commit({ writes: [insertOf('tasks', row)], events: [] })
  const [first] = await opened.storage.system.listTasks(1)
  expect(first?.task._id).toBe(row._id)
})

test('an operator reads how many rows are left, and a version that builds on the step refuses to start before', async () => {
  await newTenant(many(3))
  const stopping = job({ before: () => void stopping.stop?.() })
  await stopping.runDue()
  await newTenant(many(450))
  await newTenant([])
  const { url, folder } = opened
  const { rows, close } = await (url
    ? examineMongo(url)
    : examineSqlite(`${folder}/crm.db`, { isThorough: false }))
  if (rows === undefined) throw new Error('the database cannot be read')
  const steps = stepsOf()
  const left = async (rowsMax: number) =>
    (await readUpgrades(rows, { steps, rowsMax })).map(({ step, rowsLeft, tenantsLeft, isAtLeast }) => [
      step.name,
      rowsLeft,
      tenantsLeft,
      isAtLeast,
    ])
  expect(await left(1_000)).toEqual([
    ['oldNames', 450, 1, false],
    ['oldNotes', 453, 2, false],
    ['oldHashes', 0, 0, false],
  ])
  expect((await left(100))[0]).toEqual(['oldNames', 97, 1, true])
  const building = steps.map((step) => ({ ...step, isRequired: true as const }))
  await expect(assertUpgraded(rows, steps)).resolves.toBeUndefined()
  await expect(assertUpgraded(rows, building)).rejects.toThrow(/^450 rows of customers still have the form/)
  await job().runDue()
  await expect(assertUpgraded(rows, building)).resolves.toBeUndefined()
  await close()
})
