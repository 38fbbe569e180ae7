import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import {
  createIdFactory,
  type EventType,
  makeEvent,
  newWebhook,
  newWebhookSecret,
  type RetryPolicy,
} from '@crmkit/core'
import { afterAll, beforeAll } from 'vitest'
import { createDestinationGuard } from '../../src/adapters/https-sender/destination-guard.ts'
import { createInProcessQueue } from '../../src/adapters/in-process/in-process-queue.ts'
import { openSqliteStorage } from '../../src/adapters/sqlite/sqlite-storage.ts'
import { sealWebhook } from '../../src/delivery/webhooks/seal-webhook.ts'
import {
  createWebhookDeliveries,
  type WebhookDeliveriesParts,
} from '../../src/delivery/webhooks/webhook-deliveries.ts'
import { createScheduler } from '../../src/jobs/scheduler.ts'
import { wakeOnCommit } from '../../src/main/compose/wake-on-commit.ts'
import type { HttpSender } from '../../src/ports/http-sender.ts'
import type { JobQueue } from '../../src/ports/job-queue.ts'
import { noMeters } from '../../src/ports/meters.ts'
import type { Storage } from '../../src/ports/storage.ts'
import { createSecretBox } from '../../src/security/secret-box.ts'
import { CommitListeners } from '../../src/shared/commit-listeners.ts'
import type { AttemptRecord } from '../../src/storage/kinds/attempts.ts'
import type { AttemptResult, TenantId } from '../../src/storage/records.ts'
import { useSenderHarness } from './sender-harness.ts'
import { silentLog } from './silent-log.ts'

/** A queue that loses every wake-up. */
export const deafQueue: JobQueue = {
  wake() {},
  async start() {},
  async stop() {},
  isHealthy: () => false,
}

/** A clock that a test can advance. */
export function createTestClock() {
  let aheadMs = 0
  return {
    nowMs: () => Date.now() + aheadMs,
    pass: (ms: number) => {
      aheadMs += ms
    },
  }
}

export interface WorkerSettings
  extends Partial<Pick<WebhookDeliveriesParts, 'limits' | 'clock' | 'timeoutMs' | 'secrets'>> {
  queue?: JobQueue
  sender?: HttpSender
  storage?: Storage
  pollEveryMs?: number
}

let tenantCount = 0

/** Storage, receivers and workers on real files and sockets; each test has a tenant of its own. */
export function useDeliveryHarness() {
  const net = useSenderHarness()
  const directory = mkdtempSync(path.join(tmpdir(), 'crmkit-deliveries-'))
  const ids = createIdFactory(Date.now)
  const secrets = createSecretBox(['a key of at least thirty-two bytes!!'])
  const guard = createDestinationGuard({ allowCidrs: ['127.0.0.0/8'] })
  const written = resultsWritten()
  let storage: Storage
  beforeAll(async () => {
    storage = await openSqliteStorage({ path: path.join(directory, 'crm.db') })
    await storage.migrate()
  })
  afterAll(async () => {
    await storage.close()
    rmSync(directory, { recursive: true, force: true })
  })

  /** Starts the deliveries of one process; they stop when the test ends. */
  const startWorker = async (settings: WorkerSettings = {}) => {
    const { queue = createInProcessQueue(), storage: own = storage, pollEveryMs = 1000, ...rest } = settings
    const sender = settings.sender ?? net.openSender()
    const clock = settings.clock ?? { nowMs: () => Date.now() }
    const base = { secrets, checkDestination: guard.checkDestination, version: '1.0.0', ids, log: silentLog }
    const observed = written.observe(own)
    const wake = (atMs?: number) => queue.wake('deliveries', atMs)
    const deliveries = createWebhookDeliveries({
      meters: noMeters,
      ...base,
      ...rest,
      sender,
      clock,
      wake,
      storage: observed,
    })
    const jobs = [{ name: 'deliveries', job: deliveries, pollEveryMs }]
    const scheduler = createScheduler({ meters: noMeters, jobs, queue, clock, log: silentLog })
    own.onCommitted(deliveries.onCommitted)
    const commits = new CommitListeners()
    own.onCommitted(commits.notify)
    wakeOnCommit(commits, queue)
    await scheduler.start()
    net.onCleanup(() => scheduler.stop())
    return { scheduler, queue }
  }

  return {
    ...net,
    ids,
    secrets,
    guard,
    storage: () => storage,
    startWorker,
    /** Resolves with a tenant's results, in the order of writing, when there are this many. */
    resultsOf: written.waitFor,
    openTenant: () => openTenant({ storage, ids, secrets }),
  }
}

interface TenantParts {
  storage: Storage
  ids: ReturnType<typeof createIdFactory>
  secrets: ReturnType<typeof createSecretBox>
}

async function openTenant({ storage, ids, secrets }: TenantParts) {
  const tenantId = ids.next('ten') as TenantId
  const now = new Date().toISOString()
  tenantCount += 1
  const tenant = {
    _id: tenantId,
    name: `Tenant ${tenantCount}`,
    isSuspended: false,
    createdAt: now,
    updatedAt: now,
  }
  await storage.system.commit(tenantId, {
    writes: [{ op: 'insert', kind: 'tenants', row: tenant }],
    events: [],
  })
  const store = storage.forTenant(tenantId)
  return {
    tenantId,
    store,
    addWebhook: async (
      url: string,
      retryPolicy: Partial<RetryPolicy> = {},
      events: EventType[] = ['customer.created'],
    ) => {
      const body = { name: 'a webhook', url, events, retryPolicy }
      const webhook = newWebhook(body, { id: ids.next('whk'), tenantId, now })
      const secret = newWebhookSecret()
      const row = sealWebhook(secrets, webhook, secret)
      await store.commit({ writes: [{ op: 'insert', kind: 'webhooks', row }], events: [] })
      return { ...webhook, secret }
    },
    setActive: async (webhookId: string, isActive: boolean) => {
      const expectVersion = (await store.webhooks.find(webhookId))?.version ?? 0
      const write = {
        op: 'update',
        kind: 'webhooks',
        id: webhookId,
        expectVersion,
        set: { isActive },
      } as const
      await store.commit({ writes: [write], events: [] })
    },
    /** Commits this many events, all at once. */
    emit: async (count = 1) => {
      const events = Array.from({ length: count }, (_, index) => {
        const id = ids.next('evt')
        return makeEvent({
          id,
          type: 'customer.created',
          now: new Date().toISOString(),
          subjects: [],
          data: { index },
        })
      })
      await store.commit({ writes: [], events })
      return events
    },
    attempts: async (webhookId: string): Promise<AttemptRecord[]> => {
      const page = await store.attempts.list({ webhookId, page: 1, limit: 100 })
      return page.rows.sort((a, b) => a.attempt - b.attempt)
    },
  }
}

/** Sees every result at the moment it is written, so that a test need not poll. */
function resultsWritten() {
  const results: AttemptResult[] = []
  let waiting: { tenantId: string; count: number; resolve: () => void }[] = []
  const of = (tenantId: string) => results.filter((result) => result.tenantId === tenantId)
  const isReached = ({ tenantId, count }: { tenantId: string; count: number }) => of(tenantId).length >= count
  const note = (group: readonly AttemptResult[]) => {
    results.push(...group)
    for (const waiter of waiting.filter(isReached)) waiter.resolve()
    waiting = waiting.filter((waiter) => !isReached(waiter))
  }
  return {
    observe: (storage: Storage): Pick<Storage, 'system' | 'forTenant'> => ({
      forTenant: (id) => storage.forTenant(id),
      system: new Proxy(storage.system, {
        get: (system, name: keyof Storage['system']) => {
          if (name !== 'finishAttempts') return system[name]
          return async (group: readonly AttemptResult[]) => {
            const count = await system.finishAttempts(group)
            note(group)
            return count
          }
        },
      }),
    }),
    waitFor: async (tenantId: string, count = 1): Promise<AttemptResult[]> => {
      await new Promise<void>((resolve) => {
        if (isReached({ tenantId, count })) resolve()
        else waiting.push({ tenantId, count, resolve })
      })
      return of(tenantId)
    },
  }
}
