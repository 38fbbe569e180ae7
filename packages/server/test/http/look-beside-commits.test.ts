// Runs on both databases by day: merges and erasures that commit between the reads of `GET /api/v1/conversations/{id}`.

import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { TenantReads } from '../../src/ports/storage.ts'
import { call, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'

const running = useService()
let token: string
let inboxId: string

const send = (method: string, path: string, body?: unknown) =>
  call(running.url, { method, path: `/api/v1${path}`, token, body })
async function data(method: string, path: string, body?: unknown) {
  const response = await send(method, path, body)
  expect(response.body).toMatchObject({ success: true })
  return response.body.data
}

beforeAll(async () => {
  token = (await registerTenant(running.url)).token
  const email = { address: 'mail@acme.test', transport: 'relay' }
  inboxId = (await data('POST', '/inboxes', { name: 'Mail', channel: 'email', email }))._id
})

/** A reply goes to the customer; another person has written here too. */
async function newConversation() {
  const [customerId, otherId] = [await newCustomer('Grace'), await newCustomer('Ada')]
  const { _id: id } = await data('POST', '/conversations', { subject: 'Help', inboxId, customerId: otherId })
  const say = () => data('POST', `/conversations/${id}/messages`, { content: 'Hello?', direction: 'inbound' })
  await say()
  await data('PUT', `/conversations/${id}`, { customerId })
  await say()
  await data('PUT', `/conversations/${id}/draft`, { content: 'Dear Grace' })
  return { id, customerId, otherId }
}
let made = 0
const newCustomer = async (firstName: string) =>
  (await data('POST', '/customers', { firstName, email: `p${++made}@people.test` }))._id as string

type Place = readonly ['conversations' | 'messages' | 'drafts' | 'customers', 'find' | 'list']

/** Lets a commit come in front of a read of the next request, and behind the first read of the conversation. */
function commitsBefore([kind, method]: Place, commit: () => Promise<unknown>): () => boolean {
  const { storage } = running.service
  const real = storage.forTenant
  let isArmed = true
  let hasConversation = false
  onTestFinished(() => {
    storage.forTenant = real
  })
  storage.forTenant = (tenantId) => {
    const store = real(tenantId)
    const meets = <Read extends (...given: never[]) => Promise<unknown>>(read: Read, at: string): Read =>
      (async (...given: Parameters<Read>) => {
        const isFirst = at === 'conversations.find' && !hasConversation
        if (isArmed && hasConversation && at === `${kind}.${method}`) {
          isArmed = false
          storage.forTenant = real
          await commit()
        }
        const rows = await read(...given)
        if (isFirst) hasConversation = true
        return rows
      }) as Read
    const kinds = ['conversations', 'messages', 'drafts', 'customers'] as const
    const watched = kinds.map((name) => {
      const reads = store[name]
      return [
        name,
        {
          ...reads,
          find: meets(reads.find, `${name}.find`),
          list: meets(reads.list as never, `${name}.list`),
        },
      ]
    })
    return { ...store, ...(Object.fromEntries(watched) as Partial<TenantReads>) }
  }
  return () => !isArmed
}

const places: readonly Place[] = [
  ['conversations', 'find'],
  ['messages', 'list'],
  ['drafts', 'list'],
  ['customers', 'find'],
]

describe.each(places)('a commit in front of %s.%s', (...place) => {
  const look = (id: string) => send('GET', `/conversations/${id}?include=messages,drafts,recipients`)

  it.each(['the conversation', 'its customer'])('that erases %s leaves a look nothing', async (erased) => {
    const { id, customerId } = await newConversation()
    const path = erased === 'its customer' ? `/customers/${customerId}` : `/conversations/${id}`
    const hasMet = commitsBefore(place, () => send('DELETE', path))
    const { status, body } = await look(id)
    expect([hasMet(), status, body.code]).toEqual([true, 404, 'NOT_FOUND'])
  })

  it('that merges the customer lets a look show the target in each part', async () => {
    const { id, customerId } = await newConversation()
    const target = await newCustomer('Hopper')
    const hasMet = commitsBefore(place, () =>
      send('POST', `/customers/${target}/merge`, { sourceId: customerId }),
    )
    const { status, body } = await look(id)
    expect([hasMet(), status]).toEqual([true, 200])
    expect(body.data.customerId._id).toBe(target)
    expect(body.included.messages.data).toHaveLength(body.data.messageCount)
    expect(body).toEqual((await look(id)).body)
  })

  it('that erases another author lets a look count the messages that it shows', async () => {
    const { id, otherId } = await newConversation()
    const hasMet = commitsBefore(place, () => send('DELETE', `/customers/${otherId}`))
    const { status, body } = await look(id)
    expect([hasMet(), status]).toEqual([true, 200])
    expect(body.included.messages.data).toHaveLength(1)
    expect(body.data.messageCount).toBe(1)
    expect(body).toEqual((await look(id)).body)
  })
})

describe('a conversation without parts', () => {
  it.each([
    ['erases the customer', 404],
    ['merges the customer', 200],
  ])('beside a commit that %s is there with its customer, or gone', async (what, expected) => {
    const { id, customerId } = await newConversation()
    const target = await newCustomer('Hopper')
    const hasMet = commitsBefore(['customers', 'find'], () =>
      expected === 404
        ? send('DELETE', `/customers/${customerId}`)
        : send('POST', `/customers/${target}/merge`, { sourceId: customerId }),
    )
    const { status, body } = await send('GET', `/conversations/${id}`)
    expect([what, hasMet(), status]).toEqual([what, true, expected])
    if (status === 200) expect(body.data.customerId._id).toBe(target)
  })
})
