import { describe, expect, test } from 'vitest'
import type { Committed, TenantStore } from '../../../src/ports/storage.ts'
import { VersionConflict } from '../../../src/storage/errors.ts'
import type { ClaimedAttempt, DeliveryQueue, PlannedQueue, TenantId } from '../../../src/storage/records.ts'
import { type Harness, type Open, rejection, useFreshStorage } from './harness.contract.ts'
import { add, at, insertOf, resultOf, sample, sampleAttempt, sampleEvent } from './samples.contract.ts'

const all = { page: 1, limit: 100 }
const late = at(1_000_000)
const leaseMsLong = 10_000_000_000
const idPattern = /^(log|dlv)_[0-9A-HJKMNP-TV-Z]{26}$/

interface Claim {
  now?: string
  /** The most attempts from each delivery queue. */
  limit?: number
  leaseMs?: number
  lockToken?: string
  deliveryQueues?: readonly DeliveryQueue[]
}

/** Delivery queues of all tenants in the storage's own order, read in small pages. */
async function listDeliveryQueues(harness: Harness, limit = 2): Promise<PlannedQueue[]> {
  const deliveryQueues: PlannedQueue[] = []
  let after: string | null = null
  do {
    const page: { deliveryQueues: PlannedQueue[]; next: string | null } =
      await harness.storage.system.listDeliveryQueues({ after, limit })
    expect(page.deliveryQueues.length).toBeLessThanOrEqual(limit)
    deliveryQueues.push(...page.deliveryQueues)
    after = page.next
  } while (after !== null)
  return deliveryQueues
}

/** Claims from all delivery queues, or from the given ones. */
function claimer(harness: Harness) {
  const claimDeliveryQueues = async ({ deliveryQueues, limit = 1000, ...claim }: Claim = {}) => {
    const asked = (deliveryQueues ?? (await listDeliveryQueues(harness))).map((deliveryQueue) => ({
      ...deliveryQueue,
      limit,
    }))
    const lease = { now: late, leaseMs: leaseMsLong, lockToken: 'lock', ...claim, deliveryQueues: asked }
    const claimed = await harness.storage.system.claimDueAttempts(lease)
    expect(claimed).toHaveLength(asked.length)
    return claimed
  }
  const claim = async (asked?: Claim) => (await claimDeliveryQueues(asked)).flatMap(({ claims }) => claims)
  return { claim, claimDeliveryQueues, deliveryQueues: () => listDeliveryQueues(harness) }
}

function deliveryQueueOf(store: TenantStore, webhookId: string, isRetry = false): DeliveryQueue {
  return { tenantId: store.tenantId, webhookId, isRetry }
}

async function emit(
  store: TenantStore,
  count: number,
  timestamp?: (index: number) => string,
): Promise<string[]> {
  const events = Array.from({ length: count }, (_, i) =>
    sampleEvent(timestamp ? { timestamp: timestamp(i) } : {}),
  )
  await store.commit({ writes: [], events })
  return events.map(({ _id }) => _id)
}

export function describeDeliveries(open: Open): void {
  describe('events and planned attempts', () => {
    const harness = useFreshStorage(open)
    const { claim } = claimer(harness)

    test('a commit plans one attempt for each active webhook of the tenant that subscribes to the event', async () => {
      const [{ store }, neighbour] = [harness.newTenant(), harness.newTenant()]
      await add(neighbour.store, 'webhooks', [{ _id: 'w_foreign' }])
      await add(store, 'webhooks', [
        { _id: 'w1' },
        { _id: 'w2' },
        { _id: 'w_other', events: ['message.sent'] },
        { _id: 'w_inactive', isActive: false },
      ])
      const event = sampleEvent()
      await store.commit({ writes: [], events: [event, sampleEvent({ type: 'user.created' })] })
      const claimed = await claim()
      expect(claimed.map(({ attempt }) => attempt.webhookId).sort()).toEqual(['w1', 'w2'])
      for (const { attempt, webhook, event: carried, tenantId } of claimed) {
        expect(tenantId).toBe(store.tenantId)
        expect(webhook).toMatchObject({ _id: attempt.webhookId, sealed: 'v1.c2VjcmV0' })
        expect(carried).toStrictEqual({ ...event, tenantId })
        expect(attempt).toStrictEqual({
          ...sampleAttempt(tenantId, {
            _id: attempt._id,
            deliveryId: attempt.deliveryId,
            webhookId: attempt.webhookId,
          }),
          event: event.type,
          eventId: event._id,
          attempt: 1,
          status: 'pending',
          nextAttemptAt: event.timestamp,
          createdAt: event.timestamp,
          statusCode: null,
          deliveredAt: null,
          responseTime: null,
          error: null,
          errorCode: null,
          timings: null,
          remoteAddress: null,
        })
        expect(attempt._id).toMatch(idPattern)
        expect(attempt.deliveryId).toMatch(idPattern)
      }
      expect(new Set(claimed.map(({ attempt }) => attempt.deliveryId)).size).toBe(2)
    })

    test('a commit plans attempts by the webhooks at the moment of this very commit', async () => {
      const { id, store } = harness.newTenant()
      const webhook = sample.webhooks(id, { _id: 'w1' })
      const change = (expectVersion: number, set: object) =>
        ({ op: 'update', kind: 'webhooks', id: 'w1', expectVersion, set }) as const
      const planned = async () => (await store.attempts.list({ webhookId: 'w1', ...all })).total
      await store.commit({ writes: [insertOf('webhooks', webhook)], events: [sampleEvent()] })
      expect(await planned()).toBe(1)
      await store.commit({ writes: [change(1, { isActive: false })], events: [sampleEvent()] })
      expect(await planned()).toBe(1)
      await store.commit({
        writes: [change(2, { isActive: true, events: ['message.sent'] })],
        events: [sampleEvent()],
      })
      expect(await planned()).toBe(1)
      const refused = { ...change(3, { events: ['customer.created'] }), expectVersion: 99 }
      expect(await rejection(store.commit({ writes: [refused], events: [] }))).toBeDefined()
      await store.commit({ writes: [], events: [sampleEvent()] })
      expect(await planned()).toBe(1)
      await Promise.all([
        store.commit({ writes: [change(3, { events: ['customer.created'] })], events: [] }),
        store.commit({ writes: [], events: [sampleEvent()] }),
      ])
      // Either of two simultaneous commits may be the first; a later commit sees both.
      const before = await planned()
      expect([1, 2]).toContain(before)
      await store.commit({ writes: [], events: [sampleEvent()] })
      expect(await planned()).toBe(before + 1)
    })

    test('a change is refused that was decided on other webhooks than those of its commit', async () => {
      const { id, store } = harness.newTenant()
      const commit = (isHeard: boolean) =>
        store.commit({
          writes: [],
          events: [sampleEvent()],
          expectHeard: { type: 'customer.created', isHeard },
        })
      expect(await store.webhooks.hears('customer.created')).toBe(false)
      expect(await rejection(commit(true))).toBeInstanceOf(VersionConflict)
      await commit(false)
      const webhook = sample.webhooks(id, { _id: 'w1' })
      await store.commit({ writes: [insertOf('webhooks', webhook)], events: [] })
      expect(await store.webhooks.hears('customer.created')).toBe(true)
      expect(await store.webhooks.hears('message.sent')).toBe(false)
      expect(await rejection(commit(false))).toBeInstanceOf(VersionConflict)
      await commit(true)
      const set = { isActive: false }
      await store.commit({
        writes: [{ op: 'update', kind: 'webhooks', id: 'w1', expectVersion: 1, set }],
        events: [],
      })
      expect(await store.webhooks.hears('customer.created')).toBe(false)
      expect((await store.attempts.list({ webhookId: 'w1', ...all })).total).toBe(1)
    })

    test('listeners hear of every commit, with the number of its deliveries, before the commit resolves', async () => {
      const { id, store } = harness.newTenant()
      const heard: Committed[] = []
      harness.storage.onCommitted((commit) => heard.push(commit))
      await add(store, 'webhooks', [{}, {}])
      const change = {
        writes: [insertOf('customers', sample.customers(id))],
        events: [sampleEvent(), sampleEvent()],
      }
      await store.commit(change)
      expect(heard).toHaveLength(2)
      expect(heard[1]).toEqual({ tenantId: id, change, deliveries: 4, durationMs: expect.any(Number) })
      await rejection(
        store.commit({
          writes: [{ op: 'remove', kind: 'customers', id: 'cus_gone', expectVersion: 1 }],
          events: [],
        }),
      )
      expect(heard).toHaveLength(2)
    })
  })

  describe('counts and planned repeats', () => {
    const harness = useFreshStorage(open)
    const { claim } = claimer(harness)
    const failed = { status: 'failed', statusCode: 500, error: 'no', errorCode: 'STATUS' } as const

    test('results are counted for their webhook, and a success resets the count of failures in a row', async () => {
      const { store } = harness.newTenant()
      await add(store, 'webhooks', [{ _id: 'w1' }, { _id: 'w2' }])
      await emit(store, 4)
      const version = async () => (await store.webhooks.find('w1'))?.version
      const before = await version()
      const claims = (await claim()).filter(({ webhook }) => webhook._id === 'w1')
      const [one, two, three, four] = claims
      const { system } = harness.storage
      expect(await store.webhooks.counts(['w1', 'w2', 'w_unknown'])).toEqual([])
      await system.finishAttempts([
        resultOf(one!, { ...failed, deliveredAt: at(10) }),
        resultOf(two!, { ...failed, deliveredAt: at(11) }),
      ])
      const failing = { webhookId: 'w1', consecutiveFailures: 2, failingSince: at(10) }
      expect(await store.webhooks.counts(['w1', 'w2'])).toEqual([
        { ...failing, lastSuccessAt: null, lastFailureAt: at(11) },
      ])
      await system.finishAttempts([resultOf(one!, { ...failed, deliveredAt: at(12) })])
      await system.finishAttempts([
        resultOf(three!, { deliveredAt: at(13) }),
        resultOf(four!, { ...failed, deliveredAt: at(14) }),
      ])
      expect(await store.webhooks.counts(['w1'])).toEqual([
        {
          webhookId: 'w1',
          consecutiveFailures: 1,
          failingSince: at(14),
          lastSuccessAt: at(13),
          lastFailureAt: at(14),
        },
      ])
      expect(await version()).toBe(before)
    })

    test('counts are deleted with their webhook, and results of a deleted webhook make none', async () => {
      const { store } = harness.newTenant()
      await add(store, 'webhooks', [{ _id: 'w1' }])
      await emit(store, 2)
      const [one, two] = await claim()
      await harness.storage.system.finishAttempts([resultOf(one!)])
      await store.commit({
        writes: [{ op: 'remove', kind: 'webhooks', id: 'w1', expectVersion: 1 }],
        events: [],
      })
      await harness.storage.system.finishAttempts([resultOf(two!)])
      expect(await store.webhooks.counts(['w1'])).toEqual([])
    })

    test('attempts that are planned without their event are claimed like any other, and never created twice', async () => {
      const { id, store } = harness.newTenant()
      const neighbour = harness.newTenant()
      await add(store, 'webhooks', [{ _id: 'w1' }])
      const [eventId = ''] = await emit(store, 1)
      const [first] = await claim()
      await harness.storage.system.finishAttempts([resultOf(first!, failed)])
      const [latest] = await store.attempts.listLatest({ webhookId: 'w1', eventIds: [eventId, 'evt_none'] })
      expect(latest).toMatchObject({ _id: first!.attempt._id, status: 'failed', attempt: 1 })
      const repeat = sampleAttempt(id, {
        _id: 'log_repeat',
        webhookId: 'w1',
        eventId,
        deliveryId: latest!.deliveryId,
        attempt: 2,
        status: 'pending',
        deliveredAt: null,
        nextAttemptAt: at(50),
      })
      const heard: Committed[] = []
      harness.storage.onCommitted((commit) => heard.push(commit))
      const plan = { writes: [], events: [], attempts: [repeat] }
      await store.commit(plan)
      expect(heard.map(({ deliveries }) => deliveries)).toEqual([1])
      expect(await rejection(store.commit(plan))).toBeInstanceOf(VersionConflict)
      expect(await rejection(neighbour.store.commit(plan))).toBeInstanceOf(Error)
      expect(await store.attempts.listLatest({ webhookId: 'w1', eventIds: [eventId] })).toMatchObject([
        { _id: 'log_repeat', attempt: 2 },
      ])
      expect(await store.attempts.listLatest({ webhookId: 'w_other', eventIds: [eventId] })).toEqual([])
      expect((await claim()).map(({ attempt }) => attempt._id)).toEqual(['log_repeat'])
    })
  })

  describe('claims', () => {
    const harness = useFreshStorage(open)
    const { claim, claimDeliveryQueues, deliveryQueues } = claimer(harness)

    test('many simultaneous claims never share an attempt, and together take all', async () => {
      const { store } = harness.newTenant()
      await add(store, 'webhooks', [{ _id: 'w1' }, { _id: 'w2' }])
      await emit(store, 100)
      const both = [deliveryQueueOf(store, 'w1'), deliveryQueueOf(store, 'w2')]
      const claimAll = async (lockToken: string) => {
        const mine: string[] = []
        for (;;) {
          const claimed = await claimDeliveryQueues({ limit: 4, lockToken, deliveryQueues: both })
          for (const { claims } of claimed) {
            expect(claims.length).toBeLessThanOrEqual(4)
            mine.push(...claims.map(({ attempt }) => attempt._id))
          }
          if (claimed.every(({ nextAt }) => nextAt === null || nextAt > late)) return mine
        }
      }
      const claimed = (await Promise.all(Array.from({ length: 10 }, (_, i) => claimAll(`lock${i}`)))).flat()
      expect(claimed).toHaveLength(200)
      expect(new Set(claimed).size).toBe(200)
      expect(await claim()).toEqual([])
    })

    test('each delivery queue is listed once, of one tenant or of all, however many attempts wait', async () => {
      const [{ store }, other] = [harness.newTenant(), harness.newTenant()]
      await add(store, 'webhooks', [
        { _id: 'w1' },
        { _id: 'w2' },
        { _id: 'w_idle', events: ['message.sent'] },
      ])
      await add(other.store, 'webhooks', [{ _id: 'w1', url: 'https://other.example/' }])
      await emit(store, 30, (i) => at(100 - i))
      await emit(other.store, 1, () => at(500))
      const planned = (owner: TenantStore, webhookId: string, nextAt: string, url: string) => ({
        ...deliveryQueueOf(owner, webhookId),
        nextAt,
        url,
      })
      const url = sample.webhooks(store.tenantId).url
      const mine = [planned(store, 'w1', at(71), url), planned(store, 'w2', at(71), url)]
      const foreign = planned(other.store, 'w1', at(500), 'https://other.example/')
      const all = await deliveryQueues()
      expect(all).toHaveLength(3)
      expect(all).toEqual(expect.arrayContaining([...mine, foreign]))
      const { tenantId } = store
      const ofOne = await harness.storage.system.listDeliveryQueues({ tenantId, limit: 100 })
      expect(ofOne).toEqual({ deliveryQueues: mine, next: null })
    })

    test('a retry waits in a delivery queue of its own, with its own time', async () => {
      const { store } = harness.newTenant()
      await add(store, 'webhooks', [{ _id: 'w1' }])
      await emit(store, 2, () => at(0))
      const [first] = await claim({ limit: 1 })
      const next = { _id: 'log_next', nextAttemptAt: at(700) }
      await harness.storage.system.finishAttempts([resultOf(first!, { status: 'failed', next })])
      const listed = (await deliveryQueues()).map(({ isRetry, nextAt }) => ({ isRetry, nextAt }))
      expect(listed).toEqual([
        { isRetry: false, nextAt: at(0) },
        { isRetry: true, nextAt: at(700) },
      ])
      const retries = { deliveryQueues: [deliveryQueueOf(store, 'w1', true)] }
      expect(await claimDeliveryQueues({ ...retries, now: at(699) })).toEqual([
        { claims: [], nextAt: at(700) },
      ])
      const [retried] = await claim({ ...retries, now: at(700) })
      expect(retried?.attempt._id).toBe('log_next')
    })

    test('each delivery queue returns at most its limit, in the order asked, and says when its next attempt is due', async () => {
      const { store } = harness.newTenant()
      await add(store, 'webhooks', [{ _id: 'w1' }, { _id: 'w2' }])
      await emit(store, 3, (i) => at(i * 100))
      const asked = [
        deliveryQueueOf(store, 'w2'),
        deliveryQueueOf(store, 'w_unknown'),
        deliveryQueueOf(store, 'w1'),
      ]
      const [second, unknown, first] = await claimDeliveryQueues({
        deliveryQueues: asked,
        limit: 1,
        now: at(150),
      })
      expect(second?.claims.map(({ attempt }) => attempt.webhookId)).toEqual(['w2'])
      expect(unknown).toEqual({ claims: [], nextAt: null })
      expect(first?.claims.map(({ attempt }) => attempt.webhookId)).toEqual(['w1'])
      // More attempts of the delivery queue may be due, and they are: the returned time is not after that.
      expect(first?.nextAt?.localeCompare(at(150))).toBeLessThanOrEqual(0)
      const lease = { leaseMs: 60_000, deliveryQueues: [deliveryQueueOf(store, 'w1')] }
      const [rest] = await claimDeliveryQueues({ ...lease, now: at(150) })
      expect(rest?.claims).toHaveLength(1)
      expect([at(200), at(150)]).toContain(rest?.nextAt)
      const [none] = await claimDeliveryQueues({ ...lease, now: at(150) })
      expect(none).toEqual({ claims: [], nextAt: at(200) })
    })

    test('the oldest due attempts come first, and none before its time', async () => {
      const { store } = harness.newTenant()
      await add(store, 'webhooks', [{ _id: 'w1' }])
      const events = await emit(store, 6, (i) => at(600 - i * 100))
      const due = await claim({ now: at(399) })
      expect(due.map(({ event }) => event._id)).toEqual([events[5], events[4], events[3]])
      expect((await claim({ now: at(400) })).map(({ event }) => event._id)).toEqual([events[2]])
      expect((await claim({ now: late, limit: 1 })).map(({ event }) => event._id)).toEqual([events[1]])
    })

    test('after a lease ends, the attempt can be claimed again, and the first lock no longer holds', async () => {
      const { store } = harness.newTenant()
      await add(store, 'webhooks', [{ _id: 'w1' }])
      await emit(store, 1, () => at(0))
      const [first] = await claim({ now: at(10), leaseMs: 5_000, lockToken: 'first' })
      expect(await claim({ now: at(14), lockToken: 'second' })).toEqual([])
      expect(await claimDeliveryQueues({ now: at(14) })).toEqual([{ claims: [], nextAt: at(15) }])
      const [second] = await claim({ now: at(15), lockToken: 'second' })
      expect(second?.attempt).toStrictEqual(first?.attempt)
      expect(await harness.storage.system.finishAttempts([resultOf(first!)])).toBe(0)
      expect(await store.attempts.find(first!.attempt._id)).toMatchObject({ status: 'pending' })
      expect(await harness.storage.system.finishAttempts([resultOf(second!)])).toBe(1)
      expect(await harness.storage.system.finishAttempts([resultOf(second!)])).toBe(0)
    })

    test('results are written with the attempts that follow, and results with a foreign or invalid lock are dropped', async () => {
      const { store } = harness.newTenant()
      const neighbour = harness.newTenant()
      await add(store, 'webhooks', [{ _id: 'w1' }])
      await emit(store, 3, (i) => at(i))
      const [one, two, three] = await claim()
      const next = { _id: 'log_next', nextAttemptAt: at(3_000_000) }
      const failure = {
        status: 'failed',
        statusCode: 500,
        error: 'answered 500',
        errorCode: 'STATUS',
      } as const
      const written = await harness.storage.system.finishAttempts([
        resultOf(one!),
        resultOf(two!, { ...failure, next }),
        resultOf(three!, { tenantId: neighbour.id }),
        resultOf(three!, { attemptId: 'log_made_up' }),
      ])
      expect(written).toBe(2)
      const { attempt } = one!
      expect(await store.attempts.find(attempt._id)).toStrictEqual({
        ...attempt,
        status: 'success',
        statusCode: 204,
        deliveredAt: at(2_000_000),
        responseTime: 17.25,
        nextAttemptAt: null,
        timings: { dns: 1, connect: 2, tls: 3, firstByte: 4, total: 17.25 },
        remoteAddress: '192.0.2.7',
      })
      expect(await store.attempts.find(two!.attempt._id)).toMatchObject({
        ...failure,
        nextAttemptAt: next.nextAttemptAt,
      })
      expect(await store.attempts.find('log_next')).toMatchObject({
        status: 'pending',
        attempt: 2,
        nextAttemptAt: next.nextAttemptAt,
        webhookId: 'w1',
        statusCode: null,
        eventId: two!.event._id,
        deliveryId: two!.attempt.deliveryId,
        deliveredAt: null,
        error: null,
      })
      expect(await claim({ now: at(2_999_999) })).toEqual([])
      expect((await claim({ now: at(3_000_000) })).map(({ attempt }) => attempt._id)).toEqual(['log_next'])
    })

    test('attempts wait while their webhook is inactive and continue when it is active again', async () => {
      const { store } = harness.newTenant()
      await add(store, 'webhooks', [{ _id: 'w1' }])
      await emit(store, 1)
      const setActive = (expectVersion: number, isActive: boolean) =>
        store.commit({
          writes: [{ op: 'update', kind: 'webhooks', id: 'w1', expectVersion, set: { isActive } }],
          events: [],
        })
      await setActive(1, false)
      expect(await claim()).toEqual([])
      expect(await deliveryQueues()).toEqual([])
      expect(await claimDeliveryQueues({ deliveryQueues: [deliveryQueueOf(store, 'w1')] })).toEqual([
        { claims: [], nextAt: null },
      ])
      await setActive(2, true)
      expect(await claim()).toHaveLength(1)
    })

    test('attempts of a suspended tenant wait, are neither listed nor claimed, and continue when it is resumed', async () => {
      const [{ id, store }, neighbour] = [harness.newTenant(), harness.newTenant()]
      const { system } = harness.storage
      await system.commit(id, {
        writes: [insertOf('tenants', sample.tenants(id, { isSuspended: true }))],
        events: [],
      })
      for (const tenant of [store, neighbour.store]) {
        await add(tenant, 'webhooks', [{ _id: 'w1' }])
        await emit(tenant, 1)
      }
      const listed = () => listDeliveryQueues(harness)
      expect((await listed()).map(({ tenantId }) => tenantId)).toEqual([neighbour.id])
      const deliveryQueues = [deliveryQueueOf(store, 'w1'), deliveryQueueOf(neighbour.store, 'w1')]
      const claimed = await claim({ deliveryQueues })
      expect(claimed.map(({ tenantId }) => tenantId)).toEqual([neighbour.id])
      const set = { isSuspended: false }
      const resume = { op: 'update', kind: 'tenants', id, expectVersion: 1, set } as const
      await system.commit(id, { writes: [resume], events: [] })
      expect((await listed()).map(({ tenantId }) => tenantId)).toContain(id)
      expect((await claim({ deliveryQueues })).map(({ tenantId }) => tenantId)).toEqual([id])
    })

    test('the log and the pending attempts of a webhook are deleted with it, also an attempt that is running [webhooks.delete]', async () => {
      const { store } = harness.newTenant()
      await add(store, 'webhooks', [{ _id: 'w1' }, { _id: 'w2' }])
      await emit(store, 300)
      await emit(store, 300)
      const [running] = await claim({ limit: 1, deliveryQueues: [deliveryQueueOf(store, 'w1')] })
      await store.commit({
        writes: [{ op: 'remove', kind: 'webhooks', id: 'w1', expectVersion: 1 }],
        events: [],
      })
      expect((await claim()).every(({ attempt }) => attempt.webhookId === 'w2')).toBe(true)
      await harness.storage.system.finishAttempts([
        resultOf(running!, { status: 'failed', next: { _id: 'log_next', nextAttemptAt: at(5) } }),
      ])
      expect(await store.attempts.list({ webhookId: 'w1', ...all })).toMatchObject({ rows: [], total: 0 })
      expect(await store.attempts.find(running!.attempt._id)).toBeUndefined()
      expect(await store.attempts.find('log_next')).toBeUndefined()
      expect((await deliveryQueues()).filter(({ webhookId }) => webhookId === 'w1')).toEqual([])
      expect(
        await claim({ deliveryQueues: [deliveryQueueOf(store, 'w1'), deliveryQueueOf(store, 'w1', true)] }),
      ).toEqual([])
      let removed = 0
      do removed = await harness.storage.system.removeExpired({ now: at(0), logsBefore: at(0), limit: 100 })
      while (removed > 0)
      expect((await store.attempts.list({ webhookId: 'w2', ...all })).total).toBe(600)
    })

    test('an attempt that was made outside the schedule is stored and nothing else changes', async () => {
      const { id, store } = harness.newTenant()
      await add(store, 'webhooks', [{ _id: 'w1' }])
      await store.attempts.record(sampleAttempt(id, { webhookId: 'w1' }))
      expect(await claim()).toEqual([])
      expect((await store.attempts.list({ webhookId: 'w1', ...all })).total).toBe(1)
    })

    test('nothing is due in an empty storage', async () => {
      expect(await claim()).toEqual([])
      expect(await harness.storage.system.listDeliveryQueues({ limit: 1 })).toEqual({
        deliveryQueues: [],
        next: null,
      })
      expect(await harness.storage.system.finishAttempts([])).toBe(0)
      const foreign = {
        tenantId: 'ten_x' as TenantId,
        lockToken: 'x',
        attempt: { _id: 'x' },
      } as ClaimedAttempt
      expect(await harness.storage.system.finishAttempts([resultOf(foreign)])).toBe(0)
    })
  })
}
