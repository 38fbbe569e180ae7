import type { Store } from '../../store/store.ts'

/** A customer that exists, or the name or e-mail of a new one. */
export type ChosenCustomer = { readonly id: string; readonly text: string } | { readonly newText: string }

/** Returns the id of a chosen customer, and makes a new one with its e-mail or its name. */
export async function customerIdOf(store: Store, chosen: ChosenCustomer): Promise<string> {
  if ('id' in chosen) return chosen.id
  const { newText } = chosen
  const body = newText.includes('@') ? { email: newText } : { firstName: newText }
  const customer = await store.crm.customers.create(body)
  store.conversations.customers.put(customer)
  return customer._id
}
