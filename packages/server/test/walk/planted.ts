import type { Change } from '../../src/ports/change.ts'
import type { TenantStore } from '../../src/ports/storage.ts'
import type { Plant } from './world.ts'

/** Changes what every tenant's store does. */
const inStores =
  (change: (store: TenantStore) => Partial<TenantStore>): Plant =>
  ({ storage }) => {
    const real = storage.forTenant.bind(storage)
    storage.forTenant = (id) => {
      const store = real(id)
      return { ...store, ...change(store) }
    }
  }

const inCommits = (mistake: (change: Change) => Change) =>
  inStores((store) => ({ commit: (change) => store.commit(mistake(change)) }))

/** Mistakes that a change of the service could make, and what the walk says about each. */
export const planted: Readonly<Record<string, { plant: Plant; found: RegExp }>> = {
  'an erasure that does not find the events about a person': {
    plant: inCommits((change) => ({
      ...change,
      events: change.events.map((event) => ({ ...event, subjects: [] })),
    })),
    found: /erased texts are still stored/,
  },
  'a list that misses a row': {
    plant: inStores((store) => ({
      customers: {
        ...store.customers,
        list: async (filter) => {
          const page = await store.customers.list(filter)
          return { ...page, rows: page.rows.filter((_row, index) => index !== 4) }
        },
      },
    })),
    found: /customers|total beside the rows/,
  },
  'a counter that drifts': {
    plant: inCommits((change) => ({
      ...change,
      writes: change.writes.map((write) =>
        write.op === 'patch' && write.kind === 'conversations' && (write.increment?.seq ?? 0) > 0
          ? { ...write, increment: { ...write.increment, messageCount: 1 } }
          : write,
      ),
    })),
    found: /messageCount|conversation v/,
  },
}
