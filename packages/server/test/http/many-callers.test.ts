// Runs on both databases by day: writes that meet each other.

import { expect, it } from 'vitest'
import { createRandom } from '../faults/support/random.ts'
import { type CallResponse, call, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'

// Callers of one tenant who conflict with each other all the time: whatever their responses, the stored rows must
// stay consistent.

const callers = 16
const workMs = 5_000
const idsPerAreaMax = 8
type Area = 'customers' | 'conversations' | 'users' | 'inboxes' | 'webhooks'
/** As in the response; its fields depend on the area. */
// biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
type Shown = any

const running = useService()
let token: string

const send = (method: string, path: string, body?: unknown) =>
  call(running.url, { method, path: `/api/v1${path}`, token, body })

async function listAll(path: string): Promise<Shown[]> {
  const rows: Shown[] = []
  for (let cursor = ''; ; ) {
    const { body } = await send(
      'GET',
      `${path}?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
    )
    rows.push(...body.data)
    cursor = body.pagination.nextCursor ?? ''
    if (cursor === '') return rows
  }
}

function randomWork(seed: number, owner: string) {
  const random = createRandom(seed)
  let made = 0
  const { pick } = random
  const known: Record<Area, string[]> = {
    customers: [],
    conversations: [],
    users: [owner],
    inboxes: [],
    webhooks: [],
  }
  const create = async (area: Area, body: object): Promise<CallResponse> => {
    const response = await send('POST', `/${area}`, body)
    if (response.status === 201) known[area].push(response.body.data._id)
    if (known[area].length > idsPerAreaMax) known[area].shift()
    return response
  }
  const one = (area: Area) => `/${area}/${pick([...known[area], 'none'])}`
  const work: readonly (() => Promise<CallResponse>)[] = [
    () => create('customers', { firstName: `Ada ${made++}` }),
    () => send('PUT', one('customers'), { company: `${made++}` }),
    () => send('DELETE', one('customers')),
    () => send('POST', `${one('customers')}/merge`, { sourceId: pick([...known.customers, 'none']) }),
    () =>
      create('conversations', {
        ...refs(),
        subject: 'Help',
        message: { content: 'Hi', direction: 'inbound' },
      }),
    () => create('conversations', { ...refs(), subject: 'Help' }),
    () => send('PUT', one('conversations'), { ...refs(), status: pick(['open', 'closed', 'pending']) }),
    () => send('POST', `${one('conversations')}/messages`, { content: 'Hi', type: pick(['reply', 'note']) }),
    () => send('POST', `${one('conversations')}/messages`, { content: 'Hi', direction: 'inbound' }),
    () => send('DELETE', one('conversations')),
    () => create('users', { email: `user${made++}@example.com`, role: 'agent' }),
    () =>
      known.users.length < 2 ? send('GET', '/users') : send('DELETE', `/users/${pick(known.users.slice(1))}`),
    () => create('inboxes', { name: 'Web', members: [pick(known.users)], isDefault: pick([true, false]) }),
    () => send('PUT', one('inboxes'), { isDefault: true }),
    () => send('DELETE', one('inboxes')),
    () => send('POST', `${one('inboxes')}/widget-secret`, { overlapSeconds: 0 }),
    () => create('webhooks', { name: 'Hook', url: 'https://127.0.0.1:1024/', events: ['message.received'] }),
    () => send('DELETE', one('webhooks')),
  ]
  const refs = () => ({
    inboxId: pick([...known.inboxes, 'none']),
    customerId: pick([null, ...known.customers]),
    assignedTo: pick([null, ...known.users]),
  })
  return () => pick(work)()
}

/** Returns the rows that contradict each other; the service mends some of them by itself a moment later. */
async function findInconsistencies(): Promise<string[]> {
  const [customers, users, inboxes, conversations] = await Promise.all(
    ['/customers', '/users', '/inboxes', '/conversations'].map(listAll),
  )
  const ids = new Set([customers, users, inboxes].flatMap((rows) => (rows ?? []).map(({ _id }) => _id)))
  const inconsistencies: string[] = []
  if (inboxes?.filter(({ isDefault }) => isDefault).length !== 1)
    inconsistencies.push('not one default inbox')
  for (const { _id, members } of inboxes ?? [])
    if (members.some((member: string) => !ids.has(member)))
      inconsistencies.push(`${_id} has a deleted member`)
  for (const { _id, customerId, assignedTo, inboxId, status } of conversations ?? []) {
    if (!ids.has(inboxId)) inconsistencies.push(`${_id} is in no inbox`)
    if (customerId !== null && !ids.has(customerId)) inconsistencies.push(`${_id} has a deleted customer`)
    if (assignedTo !== null && status !== 'closed' && !ids.has(assignedTo))
      inconsistencies.push(`${_id} has a deleted assignee`)
    const messages = await listAll(`/conversations/${_id}/messages`)
    const counted = messages.filter(({ type }) => type !== 'note').length
    const { messageCount } = (await send('GET', `/conversations/${_id}`)).body.data
    if (messageCount !== counted)
      inconsistencies.push(`${_id} has ${counted} messages and counts ${messageCount}`)
  }
  return inconsistencies
}

it('many simultaneous changes of the same few resources leave consistent rows, and none fails', async () => {
  const owner = await registerTenant(running.url)
  token = owner.token
  const seed = Number(process.env['CRM_MODEL_SEED'] ?? Date.now() % 1_000_000)
  const next = randomWork(seed, owner.user._id)
  const endsAt = Date.now() + workMs
  const statuses = new Map<number, number>()
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (Date.now() < endsAt) {
        const { status } = await next()
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
    }),
  )
  const tally = JSON.stringify([...statuses].toSorted())
  process.stdout.write(`many callers: seed ${seed}, responses ${tally}\n`)
  // 503 reports repeated conflicts with other callers, and asks to try again.
  expect([...statuses.keys()].filter((status) => status >= 500 && status !== 503)).toEqual([])
  expect(statuses.get(503) ?? 0).toBeLessThan((statuses.get(201) ?? 0) / 5)
  await expect.poll(findInconsistencies, { interval: 1_000 }).toEqual([])
})
