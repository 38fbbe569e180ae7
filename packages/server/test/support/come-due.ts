import type { TenantStore } from '../../src/ports/storage.ts'

/** Lets the time of a planned draft come, without a wait. A time of soon has passed before a busy machine has stored the draft. */
export async function comeDue(store: Pick<TenantStore, 'drafts' | 'commit'>, draftId: string): Promise<void> {
  const { version: expectVersion = 0 } = (await store.drafts.find(draftId)) ?? {}
  const set = { dueAt: new Date().toISOString() }
  const write = { op: 'update', kind: 'drafts', id: draftId, expectVersion, set } as const
  await store.commit({ writes: [write], events: [] })
}
