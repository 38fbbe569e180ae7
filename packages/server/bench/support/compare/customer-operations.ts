import { registerTenant } from '../../../test/support/call.ts'
import type { Operation } from './operation.ts'
import { requestsOf } from './requests.ts'
import type { Form, Service } from './service.ts'

const customers = '/api/v1/customers'
const seeded = 3_000
const perCommonName = 3
const firstNames = ['Maria', 'Grace', 'Ada']

/** The seeded customers of a service: their first one and a key that reads and writes them. */
interface Seeded {
  customerId: string
  key: string
}
const seeds = new Map<Service, Promise<Seeded>>()

function seedOnce(service: Service): Promise<Seeded> {
  const seed = seeds.get(service) ?? makeSeed(service)
  seeds.set(service, seed)
  return seed
}

async function makeSeed(service: Service): Promise<Seeded> {
  const permissions = ['read:customers', 'write:customers']
  const { key } = await service.ask('POST', '/api/tenant/api-keys', { name: 'Bench', permissions })
  const fields = { firstName: 'Ada', email: 'ada@example.com', customFields: { plan: 'pro' } }
  const { _id: customerId } = await service.ask('POST', customers, fields)
  const create = requestsOf(service, {
    method: 'POST',
    path: customers,
    token: key,
    body: (index) => ({
      firstName: firstNames[index % perCommonName],
      // One in a thousand has a rare name.
      lastName: index % 1_000 === 0 ? 'Xylander' : `Family${index}`,
      email: `person${index}@example.com`,
      tags: index % 10 === 0 ? ['vip'] : [],
    }),
  })
  await create(seeded)
  return { customerId, key }
}

function reading(name: string, path: (index: number, seed: Seeded) => string, more: Partial<Operation> = {}) {
  return {
    name,
    form: 'limited' as Form,
    async prepare(service: Service) {
      const seed = await seedOnce(service)
      return requestsOf(service, { path: (index) => path(index, seed), token: seed.key })
    },
    ...more,
  }
}

const list = `${customers}?limit=20`
const byId = (_: number, { customerId }: Seeded) => `${customers}/${customerId}`

/** The search of a tenant with ten customers beside the large one. */
const searchSmall: Operation = {
  name: 'search, small neighbour',
  // A tenant of its own has no limit lifted.
  form: 'unlimited',
  async prepare(service) {
    await seedOnce(service)
    const { token } = await registerTenant(service.url)
    const create = requestsOf(service, {
      method: 'POST',
      path: customers,
      token,
      body: (index) => ({ firstName: 'Maria', email: `small${index}@example.com` }),
    })
    await create(10)
    return requestsOf(service, { path: `${list}&search=maria`, token })
  },
}

const create: Operation = {
  name: 'create a customer',
  form: 'limited',
  isHot: true,
  async prepare(service) {
    const { key: token } = await seedOnce(service)
    return requestsOf(service, {
      method: 'POST',
      path: customers,
      token,
      body: (index) => ({
        firstName: 'Ada',
        lastName: `Created ${index}`,
        email: `created${index}@example.com`,
      }),
    })
  },
}

const update: Operation = {
  name: 'update a customer',
  form: 'limited',
  isHot: true,
  async prepare(service) {
    const { key: token } = await seedOnce(service)
    const ids: string[] = (await service.ask('GET', `${customers}?limit=50`)).map(
      ({ _id }: { _id: string }) => _id,
    )
    return requestsOf(service, {
      method: 'PUT',
      path: (index) => `${customers}/${ids[index % ids.length]}`,
      token,
      body: (index) => ({ company: `Company ${index}` }),
    })
  },
}

export const customerOperations: readonly Operation[] = [
  reading('read a customer', byId, { isHot: true }),
  reading('read a customer, mounted', byId, { form: 'mounted' }),
  reading('list customers', () => list, { isHot: true }),
  reading('list customers with a tag', () => `${list}&tag=vip`, { isHot: true }),
  reading('search, rare word', () => `${list}&search=xylander`, { isHot: true }),
  reading('search, common word', () => `${list}&search=maria`, { isHot: true }),
  reading('search, absent word', () => `${list}&search=zzqx`),
  reading('search, another absent word each time', (index) => `${list}&search=zzqx${index}`),
  reading('search, a new word each time', (index) => `${list}&search=family${index % seeded}`),
  searchSmall,
  create,
  update,
]
