import { nameOfCustomer } from './names.ts'
import type { Store } from './store.ts'

const most = 8

/** Customers whose name, e-mail, phone or company matches a text; the latest ones for an empty text. */
export async function findCustomers(
  { crm }: Store,
  text: string,
): Promise<{ readonly id: string; readonly text: string }[]> {
  const page = await crm.customers.list({ limit: most, sort: '-updatedAt', ...(text && { search: text }) })
  return page.data.map((customer) => {
    const name = nameOfCustomer(customer)
    const { email } = customer.profile
    return { id: customer._id, text: email && email !== name ? `${name} (${email})` : name }
  })
}
