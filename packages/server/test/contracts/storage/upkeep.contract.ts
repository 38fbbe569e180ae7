import { describe, expect, test } from 'vitest'
import { jobBacklogs } from '../../../src/main/compose/job-registry.ts'
import { StorageUnavailable } from '../../../src/storage/errors.ts'
import { upgradeTaskPrefix } from '../../../src/storage/kinds/tasks.ts'
import type { TenantId } from '../../../src/storage/records.ts'
import { type Open, rejection, useFreshStorage } from './harness.contract.ts'
import {
  add,
  at,
  insertOf,
  sample,
  sampleAttempt,
  sampleEvent,
  sampleMetrics,
  sampleUsage,
} from './samples.contract.ts'

const all = { page: 1, limit: 100 }

export function describeUpkeep(open: Open): void {
  describe('upkeep', () => {
    const harness = useFreshStorage(open)

    test('the installation has one id, which stays the same and differs from every other one', async () => {
      const { system } = harness.storage
      const id = await system.installationId()
      expect(id).toMatch(/^[0-9a-z]{8,64}$/)
      await harness.storage.migrate()
      expect(await system.installationId()).toBe(id)
      const other = await open()
      expect(await other.storage.system.installationId()).not.toBe(id)
      await other.cleanup()
    })

    test('the work that waits longest for each background job is found; nothing waits in an empty installation', async () => {
      const { system } = harness.storage
      const [a, b] = [harness.newTenant(), harness.newTenant()]
      const oldest = async (now = at(90)) => {
        const found = [...jobBacklogs].map(
          async ([job, { oldestDue }]) => [job, await oldestDue(system, now)] as const,
        )
        return Object.fromEntries(await Promise.all(found))
      }
      const nothing = Object.fromEntries([...jobBacklogs.keys()].map((job) => [job, null]))
      expect(await oldest()).toEqual(nothing)
      for (const [{ id }, isSuspended] of [
        [a, false],
        [b, true],
      ] as const) {
        const row = { ...sample.tenants(id, {}), _id: id, isSuspended }
        await system.commit(id, { writes: [insertOf('tenants', row)], events: [] })
      }
      await add(a.store, 'conversations', [{ _id: 'a1', status: 'snoozed', snoozedUntil: at(20) }])
      await add(a.store, 'drafts', [{ dueAt: at(21) }, { dueAt: at(50) }])
      await add(a.store, 'tasks', [
        { _id: 'tsk_1', type: 'emptyInbox', requestedAt: at(22) },
        { _id: `${upgradeTaskPrefix}1`, type: 'upgradeRows', requestedAt: at(1) },
      ])
      await add(a.store, 'attachments', [{ erasedAt: at(23) }])
      await add(a.store, 'inboundMails', [{ status: 'received', dueAt: at(24) }])
      await add(a.store, 'mailSends', [
        { _id: 'a1', status: 'queued', inboxId: 'inb_1', dueAt: at(60) },
        { _id: 'a2', status: 'queued', inboxId: 'inb_2', dueAt: at(25) },
      ])
      await add(a.store, 'importRuns', [
        { _id: 'a1', status: 'running', createdAt: at(3), integrationId: 'int_1' },
        { _id: 'a2', status: 'queued', createdAt: at(26), integrationId: 'int_2' },
      ])
      // Nobody waits for the work of a suspended tenant.
      await add(b.store, 'mailSends', [{ status: 'queued', inboxId: 'inb_3', dueAt: at(2) }])
      await add(b.store, 'importRuns', [{ status: 'queued', createdAt: at(2) }])
      expect(await oldest()).toEqual({
        ...nothing,
        snoozes: at(20),
        drafts: at(21),
        tasks: at(22),
        attachments: at(23),
        mails: at(24),
        mail: at(25),
        imports: at(26),
        // Made by the commit of the conversation, whose time is the machine's.
        figures: expect.any(String),
      })
    })

    test('the backlog counts waiting attempts and tasks of all tenants up to a limit, with the age of the oldest task', async () => {
      const { system } = harness.storage
      const none = {
        attempts: 0,
        tasks: 0,
        oldestTaskAt: null,
        unsequencedEvents: 0,
        oldestUnsequencedAt: null,
        rowsToUpgrade: {},
      }
      expect(await system.backlog(10)).toEqual(none)
      const [a, b] = [harness.newTenant(), harness.newTenant()]
      for (const { store } of [a, b]) {
        await add(store, 'webhooks', [{ events: ['customer.created'] }])
        const events = [0, 1].map((second) => sampleEvent({ about: 'cus_1', timestamp: at(second) }))
        await store.commit({ writes: [], events })
      }
      const task = { type: 'releaseUser', subjectId: 'usr_1', targetId: null } as const
      for (const [{ id }, _id, requestedAt] of [
        [b, 'tsk_2', at(40)],
        [a, 'tsk_1', at(30)],
      ] as const) {
        const row = { ...task, _id, tenantId: id, requestedAt }
        await system.commit(id, { writes: [{ op: 'insert', kind: 'tasks', row }], events: [] })
      }
      const waiting = { attempts: 4, tasks: 2, oldestTaskAt: at(30) }
      const isSequenced = harness.storage.eventPositions === 'with-commit'
      const sequencing = isSequenced
        ? { unsequencedEvents: 0, oldestUnsequencedAt: null }
        : { unsequencedEvents: 4, oldestUnsequencedAt: at(0) }
      expect(await system.backlog(10)).toEqual({ ...none, ...waiting, ...sequencing })
      expect(await system.backlog(1)).toMatchObject({ attempts: 1, tasks: 1, oldestTaskAt: at(30) })
      await system.sequenceEvents(10)
      expect(await system.backlog(10)).toEqual({ ...none, ...waiting })
    })

    test('the rows that upgrades have to look at are counted apart from other tasks, and stand behind them', async () => {
      const { system } = harness.storage
      const tenants = [harness.newTenant(), harness.newTenant()]
      const progress = { after: '', pass: 1, changed: 0, skipped: 0 }
      for (const [at, { store }] of tenants.entries()) {
        await add(store, 'tasks', [
          {
            _id: 'upg_names',
            type: 'upgradeRows',
            subjectId: 'names',
            progress: { ...progress, left: 3 + at },
          },
        ])
      }
      await add(harness.newTenant().store, 'tasks', [{ _id: 'tsk_1', requestedAt: at(30) }])
      expect(await system.backlog(10)).toMatchObject({
        tasks: 1,
        oldestTaskAt: at(30),
        rowsToUpgrade: { names: 7 },
      })
      const listed = await system.listTasks(10)
      expect(listed.map(({ task }) => task._id)).toEqual(['tsk_1', 'upg_names', 'upg_names'])
    })

    test('all rows of one tenant are read in pages, and none of a tenant whose id begins alike', async () => {
      const { id, store } = harness.newTenant()
      const { system } = harness.storage
      const alike = [`${id}:`, `${id};`, `${id}0`, `${id} `, id.slice(0, -1)]
      const others = alike.map((other) => harness.storage.forTenant(other as TenantId))
      for (const other of [store, ...others])
        await add(other, 'customers', [{ _id: 'a' }, { _id: ':' }, { _id: '~' }])
      const read = async (after: string, limit: number) => {
        const page = await system.readRows({ kind: 'customers', tenantId: id, after, limit })
        expect(page.rows.every(({ tenantId, version }) => tenantId === id && version === 1)).toBe(true)
        return [page.rows.map(({ _id }) => _id), page.damaged, page.last]
      }
      expect(await read('', 2)).toEqual([[':', 'a'], 0, 'a'])
      expect(await read('a', 2)).toEqual([['~'], 0, '~'])
      expect(await read('~', 2)).toEqual([[], 0, undefined])
      expect(await system.countRows({ kind: 'customers', tenantId: id })).toBe(3)
    })

    test('the use of a quota counts every row of the tenant, and none of a tenant whose id begins alike', async () => {
      const { id, store } = harness.newTenant()
      const alike = [`${id}:`, `${id};`, `${id}0`, `${id} `, id.slice(0, -1)]
      const others = alike.map((other) => harness.storage.forTenant(other as TenantId))
      for (const other of [store, ...others]) {
        await add(other, 'customers', [{ _id: 'a' }, { _id: ':' }, { _id: '~' }])
        await add(other, 'attachments', [
          { _id: 'one', size: 1_000 },
          { _id: 'two', size: 20, state: 'uploading' },
        ])
        const uses = ['customers', 'attachments', 'attachmentBytes', 'users'].map((name) =>
          other.usedOf(name),
        )
        expect(await Promise.all(uses)).toEqual([3, 2, 1_020, 0])
      }
      await store.commit({
        writes: [{ op: 'remove', kind: 'customers', id: ':', expectVersion: 1 }],
        events: [],
      })
      expect([await store.usedOf('customers'), await others[0]?.usedOf('customers')]).toEqual([2, 3])
    })

    test('attachments are due when they are erased, unfinished after an hour, or unused after a day', async () => {
      const [a, b] = [harness.newTenant(), harness.newTenant()]
      const { system } = harness.storage
      const hour = 3600
      await add(a.store, 'attachments', [
        { _id: 'unused', createdAt: at(0) },
        { _id: 'used', createdAt: at(0), messageId: 'msg_1' },
        { _id: 'erased', createdAt: at(0), messageId: 'msg_1', erasedAt: at(50) },
      ])
      await add(b.store, 'attachments', [{ _id: 'unfinished', state: 'uploading', createdAt: at(0) }])
      const dueAt = async (seconds: number, limit = 10) =>
        (await system.across.dueAttachments.due(at(seconds), limit)).map(({ tenantId, row }) => [
          tenantId,
          row._id,
          row.version,
        ])
      expect(await dueAt(49)).toEqual([])
      expect(await dueAt(50)).toEqual([[a.id, 'erased', 1]])
      expect(await dueAt(hour)).toEqual([
        [a.id, 'erased', 1],
        [b.id, 'unfinished', 1],
      ])
      expect(await dueAt(24 * hour)).toEqual([
        [a.id, 'erased', 1],
        [b.id, 'unfinished', 1],
        [a.id, 'unused', 1],
      ])
      expect(await dueAt(24 * hour, 1)).toHaveLength(1)
      const set = { messageId: 'msg_2' }
      await a.store.commit({
        writes: [
          { op: 'update', kind: 'attachments', id: 'unused', expectVersion: 1, set },
          { op: 'remove', kind: 'attachments', id: 'erased', expectVersion: 1 },
        ],
        events: [],
      })
      expect(await dueAt(24 * hour)).toEqual([[b.id, 'unfinished', 1]])
    })

    test('rows are removed after their retention period, at most `limit` rows a call; the rest stays', async () => {
      const { id, store } = harness.newTenant()
      const { system } = harness.storage
      await add(store, 'webhooks', [{ _id: 'w1' }, { _id: 'w2', events: ['message.sent'] }])
      await add(store, 'idempotency', [
        { _id: 'i_old', expiresAt: at(10) },
        { _id: 'i_new', expiresAt: at(11_000) },
      ])
      await add(store, 'sessions', [
        { _id: 's_expired', expiresAt: at(10) },
        { _id: 's_ended', endedAt: at(10) },
        { _id: 's_live' },
      ])
      await store.attempts.record(sampleAttempt(id, { _id: 'l_old', webhookId: 'w1', createdAt: at(10) }))
      await store.attempts.record(sampleAttempt(id, { _id: 'l_new', webhookId: 'w1', createdAt: at(9_000) }))
      const [old, waiting, fresh] = [
        sampleEvent({ type: 'user.created', timestamp: at(10) }),
        sampleEvent({ timestamp: at(11) }),
        sampleEvent({ type: 'user.created', timestamp: at(9_000) }),
      ]
      await store.commit({ writes: [], events: [fresh, old, waiting] })
      const removed: number[] = []
      do removed.push(await system.removeExpired({ now: at(10_000), logsBefore: at(5_000), limit: 2 }))
      while (removed.at(-1) !== 0)
      expect(removed.every((count) => count <= 2)).toBe(true)
      expect(removed.reduce((sum, count) => sum + count)).toBe(5)
      const gone = [
        store.idempotency.find('i_old'),
        store.sessions.find('s_expired'),
        store.sessions.find('s_ended'),
        store.attempts.find('l_old'),
        store.events.find(old._id),
      ]
      expect(await Promise.all(gone)).toEqual(gone.map(() => undefined))
      const remaining = [
        store.idempotency.find('i_new'),
        store.sessions.find('s_live'),
        store.attempts.find('l_new'),
        store.events.find(fresh._id),
        store.events.find(waiting._id),
      ]
      expect((await Promise.all(remaining)).every((row) => row !== undefined)).toBe(true)
      expect((await store.attempts.list({ webhookId: 'w1', status: 'pending', ...all })).total).toBe(1)
    })

    test('the last use of a key is recorded at most once a minute, without a new version', async () => {
      const { id, store } = harness.newTenant()
      const { touchApiKeys } = harness.storage.system
      const [key] = await add(store, 'apiKeys', [{ _id: 'key_1' }])
      const lastUsedAt = async () => (await store.apiKeys.find('key_1'))?.lastUsedAt
      await touchApiKeys([
        { tenantId: id, id: 'key_1', at: at(100) },
        { tenantId: id, id: 'key_gone', at: at(100) },
      ])
      expect(await lastUsedAt()).toBe(at(100))
      await touchApiKeys([{ tenantId: id, id: 'key_1', at: at(159) }])
      expect(await lastUsedAt()).toBe(at(100))
      await touchApiKeys([{ tenantId: id, id: 'key_1', at: at(160) }])
      expect(await store.apiKeys.find('key_1')).toStrictEqual({ ...key, lastUsedAt: at(160), version: 1 })
      await touchApiKeys([{ tenantId: harness.newTenant().id, id: 'key_1', at: at(999) }])
      expect(await lastUsedAt()).toBe(at(160))
      await touchApiKeys([])
    })

    test('usage is added up by month, key, method and path for many simultaneous calls, and listed by month and key', async () => {
      const [a, b] = [harness.newTenant(), harness.newTenant()]
      const { addUsage } = harness.storage.system
      const ofA = sampleUsage(a.id)
      const others = [
        { apiKeyId: null },
        { apiKeyId: 'key_2' },
        { month: '2026-04' },
        { method: 'POST', requests: 7 },
        { path: '/other' },
      ].map((fields) => sampleUsage(a.id, fields))
      expect(await addUsage([...others, sampleUsage(b.id)])).toEqual([])
      await Promise.all(Array.from({ length: 20 }, () => addUsage([ofA])))
      expect(await addUsage([])).toEqual([])
      const counts = (await a.store.usage.list({ month: '2026-03', apiKeyId: 'key_1' }))
        .map(({ method, path, requests }) => `${method} ${path} ${requests}`)
        .sort()
      expect(counts).toEqual(['GET /api/v1/customers/{id} 60', 'GET /other 3', `POST ${ofA.path} 7`])
      expect(await a.store.usage.list({ month: '2026-03', apiKeyId: null })).toMatchObject([{ requests: 3 }])
      expect(await a.store.usage.list({ month: '2026-05', apiKeyId: 'key_1' })).toEqual([])
      expect(await b.store.usage.list({ month: '2026-03', apiKeyId: 'key_1' })).toMatchObject([
        { requests: 3 },
      ])
    })

    test('usage is stored for 24 months after its own month, and no longer [limit.analyticsKept]', async () => {
      const { id, store } = harness.newTenant()
      const { addUsage, removeExpired } = harness.storage.system
      await addUsage([sampleUsage(id)])
      const sweep = (now: string) => removeExpired({ now, logsBefore: now, limit: 100 })
      const isKept = async () =>
        (await store.usage.list({ month: '2026-03', apiKeyId: 'key_1' })).length === 1
      await sweep('2028-03-31T23:59:59.999Z')
      expect(await isKept()).toBe(true)
      await sweep('2028-04-01T00:00:00.001Z')
      expect(await isKept()).toBe(false)
    })

    test('outcomes and response times are added up by tenant and month, also by many callers at once', async () => {
      const [a, b] = [harness.newTenant(), harness.newTenant()]
      const { addRequestMetrics } = harness.storage.system
      const april = sampleMetrics(a.id, { month: '2026-04' })
      expect(await addRequestMetrics([april, sampleMetrics(b.id, { buckets: { 7: 1 } })])).toEqual([])
      const more = sampleMetrics(a.id, { buckets: { 210: 1, 900: 2 } })
      await Promise.all(Array.from({ length: 10 }, () => addRequestMetrics([sampleMetrics(a.id), more])))
      expect(await addRequestMetrics([])).toEqual([])
      expect(await a.store.usage.findMetrics('2026-03')).toEqual({
        _id: '2026-03',
        tenantId: a.id,
        requests: 80,
        successful: 40,
        failed: 20,
        timed: 60,
        totalMs: 210,
        buckets: { 210: 30, 340: 10, 900: 20 },
        expiresAt: '2028-04-01T00:00:00.000Z',
      })
      expect(await a.store.usage.findMetrics('2026-04')).toMatchObject({ requests: 4 })
      expect(await a.store.usage.findMetrics('2026-05')).toBeUndefined()
      expect(await b.store.usage.findMetrics('2026-03')).toMatchObject({ requests: 4, buckets: { 7: 1 } })
    })

    test('outcomes and response times are stored for 24 months after their own, and no longer [limit.analyticsKept]', async () => {
      const { id, store } = harness.newTenant()
      const { addRequestMetrics, removeExpired } = harness.storage.system
      await addRequestMetrics([sampleMetrics(id)])
      const sweep = (now: string) => removeExpired({ now, logsBefore: now, limit: 100 })
      await sweep('2028-03-31T23:59:59.999Z')
      expect(await store.usage.findMetrics('2026-03')).toBeDefined()
      await sweep('2028-04-01T00:00:00.001Z')
      expect(await store.usage.findMetrics('2026-03')).toBeUndefined()
    })

    test('outcomes and response times that cannot be added are returned', async () => {
      const { id } = harness.newTenant()
      await harness.storage.close()
      const increments = [sampleMetrics(id)]
      expect(await harness.storage.system.addRequestMetrics(increments)).toEqual(increments)
    })

    test('usage that cannot be added is returned to the caller', async () => {
      const { id } = harness.newTenant()
      await harness.storage.close()
      const increments = [sampleUsage(id)]
      expect(await harness.storage.system.addUsage(increments)).toEqual(increments)
    })

    test('a second migration, also at the same time, changes nothing', async () => {
      const { store } = harness.newTenant()
      await add(store, 'customers', [{ _id: 'cus_1' }])
      await Promise.all([harness.storage.migrate(), harness.storage.migrate()])
      expect(await store.customers.find('cus_1')).toBeDefined()
    })

    test('an empty storage has no tenants and replies to a ping', async () => {
      expect(await harness.storage.system.hasTenants()).toBe(false)
      await harness.storage.system.ping()
    })

    test('closing lets running commits end; afterwards every method rejects as unavailable', async () => {
      const { store } = harness.newTenant()
      const { system } = harness.storage
      const running = add(store, 'customers', [{ _id: 'cus_1' }])
      await Promise.all([harness.storage.close(), running])
      const calls: [string, () => Promise<unknown>][] = [
        ['find', () => store.customers.find('cus_1')],
        ['list', () => store.customers.list({ ...all, sort: 'createdAt' })],
        ['search', () => store.customers.list({ ...all, sort: 'createdAt', search: 'ada' })],
        ['commit', () => store.commit({ writes: [], events: [] })],
        ['ping', () => system.ping()],
        ['listDeliveryQueues', () => system.listDeliveryQueues({ limit: 1 })],
        ['finishAttempts', () => system.removeExpired({ now: at(1), logsBefore: at(1), limit: 1 })],
      ]
      for (const [name, call] of calls)
        expect(await rejection(call()), name).toBeInstanceOf(StorageUnavailable)
      await harness.storage.close()
    })
  })
}
