// Orders of a shop become customers of the CRM. It may run as often as you like, and twice at the same time: the id of the
// shop's customer finds the same customer each time.
import { readFile } from 'node:fs/promises'
import { Crm } from '@crmkit/sdk'

interface Order {
  readonly customerId: string
  readonly name: string
  readonly email: string
  readonly total: number
}

const crm = new Crm({
  baseUrl: process.env['CRM_BASE_URL'] ?? 'http://127.0.0.1:3000',
  apiKey: process.env['CRM_API_KEY'] ?? '',
})
const file = process.argv[2] ?? new URL('./orders.json', import.meta.url)
const orders: Order[] = JSON.parse(await readFile(file, 'utf8'))

for (const [customerId, own] of Map.groupBy(orders, (order) => order.customerId)) {
  const spent = own.reduce((sum, { total }) => sum + total, 0)
  const [firstName = '', ...lastNames] = (own[0]?.name ?? '').split(' ')
  const customer = await crm.customers.putByExternalId('shop', customerId, {
    firstName,
    lastName: lastNames.join(' ') || null,
    email: own[0]?.email ?? null,
    tier: spent >= 1000 ? 'gold' : spent >= 200 ? 'silver' : 'bronze',
  })
  // Adding a tag is a request of its own: it keeps the tags that an agent has set.
  await crm.customers.addTags(customer._id, { tags: ['shop'] })
  console.log(`${customer._id} ${customer.profile.email} ${own.length} orders, ${spent}`)
}
