import type { View } from '@crmkit/sdk'
import type { Store } from './store.ts'

export function isAdmin({ me }: Pick<Store, 'me'>): boolean {
  return me.role === 'owner' || me.role === 'admin'
}

/** Whether a person may change and delete a saved view that they see. */
export function mayEditView(me: Store['me'], view: View | undefined): boolean {
  return view !== undefined && (view.ownerId === me._id || isAdmin({ me }))
}
