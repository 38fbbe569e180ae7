import type { Store } from './store.ts'

export function isAdmin({ me }: Pick<Store, 'me'>): boolean {
  return me.role === 'owner' || me.role === 'admin'
}

/** Whether a person may change and delete a saved view or a canned reply that they see. */
export function mayEdit(me: Store['me'], row: { readonly ownerId: string | null } | undefined): boolean {
  return row !== undefined && (row.ownerId === me._id || isAdmin({ me }))
}
