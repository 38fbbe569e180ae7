import type { Store } from './store.ts'

export function isAdmin({ me }: Pick<Store, 'me'>): boolean {
  return me.role === 'owner' || me.role === 'admin'
}
