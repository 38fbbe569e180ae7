import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type { Storage, TenantStore } from '../../../src/ports/storage.ts'
import type { ClaimedAttempt, TenantId } from '../../../src/storage/records.ts'
import { at } from './samples.contract.ts'

export interface OpenStorage {
  storage: Storage
  cleanup(): Promise<void>
}
export type Open = () => Promise<OpenStorage>

export interface Harness {
  readonly storage: Storage
  /** A tenant that no other test uses. */
  newTenant(): { id: TenantId; store: TenantStore }
}

let tenants = 0

function harness(current: () => OpenStorage | undefined): Harness {
  return {
    get storage() {
      const opened = current()
      if (!opened) throw new Error('the storage is open inside tests only')
      return opened.storage
    },
    newTenant() {
      const id = `ten_${++tenants}` as TenantId
      return { id, store: this.storage.forTenant(id) }
    },
  }
}

/** One storage for all tests of a block, each with tenants of its own. */
export function useSharedStorage(open: Open): Harness {
  let opened: OpenStorage | undefined
  beforeAll(async () => {
    opened = await open()
  })
  afterAll(() => opened?.cleanup())
  return harness(() => opened)
}

/** An empty storage for every test, for calls that cross tenants. */
export function useFreshStorage(open: Open): Harness {
  let opened: OpenStorage | undefined
  beforeEach(async () => {
    opened = await open()
  })
  afterEach(() => opened?.cleanup())
  return harness(() => opened)
}

export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => {
      throw new Error('the promise was expected to reject')
    },
    (error: unknown) => error,
  )
}

/** Claims everything that is due long after any sample. */
export async function claimAll({ storage: { system } }: Harness, leaseMs: number): Promise<ClaimedAttempt[]> {
  const { deliveryQueues } = await system.listDeliveryQueues({ limit: 100 })
  const now = at(1_000_000)
  const asked = deliveryQueues.map((deliveryQueue) => ({ ...deliveryQueue, limit: 100 }))
  const claimed = await system.claimDueAttempts({ now, leaseMs, lockToken: 'l', deliveryQueues: asked })
  return claimed.flatMap(({ claims }) => claims)
}
