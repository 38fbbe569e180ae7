import type { SystemStore } from '../../../ports/system-store.ts'
import type { Sql } from '../connection/sql.ts'
import type { ThreadClient } from '../threads/thread-client.ts'
import type { WriterCalls } from '../threads/wire.ts'
import { createDeliveryLeases } from './delivery-leases.ts'
import type { DeliveryOwner } from './delivery-owner.ts'
import { claimDeliveryQueues, listDeliveryQueues } from './delivery-queues.ts'

export interface DeliveriesParts {
  sql: Sql
  writer: Pick<ThreadClient<WriterCalls>, 'call'>
  owner: DeliveryOwner
  read<T>(query: () => T): Promise<T>
}

type Deliveries = Pick<
  SystemStore,
  'listDeliveryQueues' | 'claimDueAttempts' | 'finishAttempts' | 'replanAttempts'
>

/** Reads due attempts and holds their leases in memory; only results are written. */
export function createDeliveries({ sql, writer, owner, read }: DeliveriesParts): Deliveries {
  const leases = createDeliveryLeases()
  return {
    listDeliveryQueues: (query) =>
      read(() => (owner.isOwner() ? listDeliveryQueues(sql, query) : { deliveryQueues: [], next: null })),
    claimDueAttempts: (claim) =>
      read(() => {
        if (!owner.isOwner()) return claim.deliveryQueues.map(() => ({ claims: [], nextAt: null }))
        return claimDeliveryQueues({ sql, leases, claim })
      }),
    replanAttempts: (bound) => writer.call('replan', bound),
    finishAttempts: async (results) => {
      const held = results.flatMap((result) => {
        const n = leases.rowOf(result)
        return n === undefined ? [] : [{ ...result, n }]
      })
      if (held.length === 0) return 0
      const written = await writer.call('finish', held)
      for (const result of held) leases.release(result)
      return written
    },
  }
}
