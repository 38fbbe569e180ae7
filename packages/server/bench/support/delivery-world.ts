import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createIdFactory, type DomainEvent, makeEvent, newWebhook, newWebhookSecret } from '@crmkit/core'
import { createDestinationGuard } from '../../src/adapters/https-sender/destination-guard.ts'
import { createHttpsSender } from '../../src/adapters/https-sender/https-sender.ts'
import { createInProcessQueue } from '../../src/adapters/in-process/in-process-queue.ts'
import { openMongoStorage } from '../../src/adapters/mongo/mongo-storage.ts'
import { openSqliteStorage } from '../../src/adapters/sqlite/sqlite-storage.ts'
import { sealWebhook } from '../../src/delivery/webhooks/seal-webhook.ts'
import { createWebhookDeliveries } from '../../src/delivery/webhooks/webhook-deliveries.ts'
import { pollEveryMs } from '../../src/jobs/background-job.ts'
import { createScheduler } from '../../src/jobs/scheduler.ts'
import { wakeOnCommit } from '../../src/main/compose/wake-on-commit.ts'
import { noMeters } from '../../src/ports/meters.ts'
import type { Storage } from '../../src/ports/storage.ts'
import type { SystemStore } from '../../src/ports/system-store.ts'
import { createSecretBox } from '../../src/security/secret-box.ts'
import { systemClock } from '../../src/shared/clock.ts'
import { CommitListeners } from '../../src/shared/commit-listeners.ts'
import type { TenantId } from '../../src/storage/records.ts'
import { makeCertificate } from '../../test/support/https-receiver.ts'
import { startMongoSet } from '../../test/support/mongo-set.ts'
import { silentLog } from '../../test/support/silent-log.ts'
import { startChild } from './child.ts'

const receiverFile = new URL('./webhook-receiver.ts', import.meta.url).pathname
const ids = createIdFactory(Date.now)

export type Arrival = [id: string, attempt: number, atMs: number]

export interface Tenant {
  tenantId: TenantId
  /** Commits events and returns when the commit was durable. */
  emit(count: number, bytes?: number): Promise<{ events: DomainEvent[]; atMs: number }>
}

export type Adapter = 'sqlite' | 'mongodb'

/** Opens a new database. */
async function openStorage(adapter: Adapter, folder: string) {
  if (adapter === 'sqlite') {
    const storage: Storage = await openSqliteStorage({ path: path.join(folder, 'crm.db') })
    return { storage, mongod: undefined, close: () => storage.close() }
  }
  const set = await startMongoSet({ members: 1 })
  const storage: Storage = await openMongoStorage({ url: set.url })
  await storage.migrate()
  const close = async () => {
    await storage.close()
    await set.stop()
  }
  return { storage, mongod: set.members[0], close }
}

/** The delivery engine on a database of its own, and a receiver in another process. */
export async function openDeliveryWorld(adapter: Adapter) {
  const folder = mkdtempSync(path.join(tmpdir(), 'crmkit-bench-'))
  const certificate = await makeCertificate()
  const [keyFile, certFile] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')]
  writeFileSync(keyFile, certificate.key)
  writeFileSync(certFile, certificate.cert)
  const receiver = await startChild(receiverFile, [keyFile, certFile])
  const { storage, mongod, close } = await openStorage(adapter, folder)
  const secrets = createSecretBox(['a key of at least thirty-two bytes!!'])
  const guard = createDestinationGuard({ allowCidrs: ['127.0.0.0/8'] })
  const sender = createHttpsSender({ guard, caFiles: [certificate.caFile] })
  let finished = 0
  const system: SystemStore = {
    ...storage.system,
    finishAttempts: async (results) => {
      const written = await storage.system.finishAttempts(results)
      finished += written
      return written
    },
  }

  /** A tenant with this many webhooks at a path of the receiver. */
  const addTenant = async (where: string, { webhooks = 1, maxRetries = 0 } = {}): Promise<Tenant> => {
    const tenantId = ids.next('ten') as TenantId
    const now = new Date().toISOString()
    const store = storage.forTenant(tenantId)
    for (let index = 0; index < webhooks; index++) {
      const events = ['customer.created' as const]
      const body = { name: 'bench', url: receiver.url + where, events, retryPolicy: { maxRetries } }
      const webhook = newWebhook(body, { id: ids.next('whk'), tenantId, now })
      const row = sealWebhook(secrets, webhook, newWebhookSecret())
      await store.commit({ writes: [{ op: 'insert', kind: 'webhooks', row }], events: [] })
    }
    return {
      tenantId,
      emit: async (count, bytes = 1024) => {
        const events = Array.from({ length: count }, () => newEvent(bytes))
        await store.commit({ writes: [], events })
        return { events, atMs: performance.timeOrigin + performance.now() }
      },
    }
  }

  const startWorker = async () => {
    const queue = createInProcessQueue()
    const base = { secrets, checkDestination: guard.checkDestination, version: '0.0.0', ids, log: silentLog }
    const wake = (atMs?: number) => queue.wake('deliveries', atMs)
    const parts = { ...base, sender, clock: systemClock, wake }
    const deliveries = createWebhookDeliveries({
      meters: noMeters,
      ...parts,
      storage: { forTenant: (id) => storage.forTenant(id), system },
    })
    storage.onCommitted(deliveries.onCommitted)
    const commits = new CommitListeners()
    storage.onCommitted(commits.notify)
    wakeOnCommit(commits, queue)
    const jobs = [{ name: 'deliveries', job: deliveries, pollEveryMs }]
    const scheduler = createScheduler({ meters: noMeters, jobs, queue, clock: systemClock, log: silentLog })
    await scheduler.start()
    return scheduler
  }

  return {
    storage,
    /** The database's process; undefined where it is this one. */
    mongod,
    addTenant,
    startWorker,
    finished: () => finished,
    arrivals: () => readArrivals(`${receiver.url}/arrivals`, certificate.cert),
    close: async () => {
      await sender.close()
      await close()
      await receiver.stop()
      certificate.remove()
      rmSync(folder, { recursive: true })
    },
  }
}

function newEvent(bytes: number): DomainEvent {
  const now = new Date().toISOString()
  const event = { id: ids.next('evt'), type: 'customer.created', now, subjects: [] } as const
  return makeEvent({ ...event, data: { padding: 'x'.repeat(Math.max(bytes - 150, 0)) } })
}

function readArrivals(url: string, ca: string): Promise<Arrival[]> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { ca }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
      })
      response.once('end', () => resolve(JSON.parse(text) as Arrival[]))
    })
    asked.once('error', reject)
    asked.end()
  })
}
