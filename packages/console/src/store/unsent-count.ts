import type { Store } from './store.ts'

/** The replies of this person that were not sent: those that the service has stopped, and those that only this browser has. */
export function unsentCount({ counts, threads }: Pick<Store, 'counts' | 'threads'>): number {
  return (counts.value['unsent']?.total ?? 0) + threads.unsent.value.size
}
