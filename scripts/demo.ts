// `npm run demo`: fills a tenant of a running server with customers and conversations, through the API alone. The same
// seed makes the same names, subjects and states; their times are those of the run, because the API sets no times.
import { parseArgs } from 'node:util'
import { type Conversation, Crm } from '../packages/sdk/src/index.ts'
import { type Chance, createChance } from './demo/chance.ts'
import * as words from './demo/words.ts'

const { values: options } = parseArgs({
  options: {
    'base-url': { type: 'string', default: process.env['CRM_BASE_URL'] ?? 'http://127.0.0.1:3000' },
    seed: { type: 'string', default: '1842' },
    customers: { type: 'string', default: '200' },
    conversations: { type: 'string', default: '500' },
  },
})
const baseUrl = options['base-url']
const chance = createChance(Number(options.seed))
const password = 'a password for the demo'
const owner = { email: 'demo@example.com', password }
const customersAtOnce = 100
const requestsAtOnce = 8

const { accessToken, tenant } = await new Crm({ baseUrl }).auth.register({
  tenantName: 'Demo shop',
  ...owner,
  firstName: 'Ada',
  lastName: 'Lovelace',
})
const asOwner = new Crm({ baseUrl, accessToken })
const agents: Agent[] = []
for (const person of words.agents) agents.push(await hire(person))
// A key has its own rate limit: with the one of a session the demo would take minutes.
const { key } = await asOwner.apiKeys.create({
  name: 'Demo',
  permissions: ['read:customers', 'write:customers', 'read:conversations', 'write:conversations'],
  rateLimit: { requests: 10_000, window: '1 minute' },
})
const crm = new Crm({ baseUrl, apiKey: key })
const inboxId = (await crm.inboxes.list()).data[0]?._id ?? ''
const customerIds = await createCustomers(Number(options.customers))
const conversations = await createConversations(Number(options.conversations))
const handled = await handle(conversations)

process.stdout.write(`Made ${customerIds.length} customers, ${conversations.length} conversations and ${agents.length} agents in the tenant ${tenant.name}.
${handled.replies} were replied to, ${handled.closed} are closed.

Sign in as ${owner.email} with the password "${password}":
  npm run crm -- login --base-url ${baseUrl} --email ${owner.email}
  npm run crm -- conversations list --status open --assigned-to none
  npm run crm -- conversations list --search parcel
  npm run crm -- customers list --search grace
`)

interface Agent {
  readonly _id: string
  readonly crm: Crm
}

/** Invites an agent and accepts for them. */
async function hire(person: words.Person): Promise<Agent> {
  const { _id, inviteToken } = await asOwner.users.create({ ...person, role: 'agent' })
  const session = await new Crm({ baseUrl }).auth.acceptInvite({ token: inviteToken, password })
  const agent = new Crm({ baseUrl, accessToken: session.accessToken })
  await agent.users.updateMe({ availability: 'online' })
  return { _id, crm: agent }
}

async function createCustomers(count: number): Promise<string[]> {
  const ids: string[] = []
  while (ids.length < count) {
    const rows = Array.from({ length: Math.min(customersAtOnce, count - ids.length) }, (_, index) =>
      customerOf(chance, ids.length + index),
    )
    const results = await crm.customers.createMany({ customers: rows })
    for (const result of results) {
      if (!result.customer) throw new Error(`A customer was refused: ${JSON.stringify(result)}`)
      ids.push(result.customer._id)
    }
  }
  return ids
}

function customerOf({ pick, isLikely, some }: Chance, index: number) {
  const firstName = pick(words.firstNames)
  const lastName = pick(words.lastNames)
  return {
    firstName,
    lastName,
    email: `${firstName}.${lastName}.${index}@example.com`.toLowerCase(),
    company: isLikely(0.4) ? pick(words.companies) : null,
    tier: pick(['bronze', 'bronze', 'bronze', 'silver', 'silver', 'gold', 'platinum'] as const),
    tags: some(words.tags, 2),
  }
}

/** All random choices come first and in one order; the requests may then run side by side. */
async function createConversations(count: number): Promise<Conversation[]> {
  const bodies = Array.from({ length: count }, () => {
    const topic = chance.pick(words.topics)
    return {
      subject: topic.subject.replace('NUMBER', String(1000 + Math.floor(chance.next() * 9000))),
      inboxId,
      customerId: chance.pick(customerIds),
      channel: chance.pick(['email', 'email', 'chat', 'phone'] as const),
      priority: chance.pick(['low', 'medium', 'medium', 'medium', 'high', 'urgent'] as const),
      labels: [topic.label, ...chance.some(words.labels, 1)],
      assignedTo: chance.isLikely(0.7) ? chance.pick(agents)._id : null,
      message: { content: topic.message, direction: 'inbound' as const },
    }
  })
  return sideBySide(bodies, (body) => crm.conversations.create(body))
}

async function handle(all: readonly Conversation[]) {
  const plans = all.map((conversation) => ({
    conversation,
    agent: agents.find(({ _id }) => _id === conversation.assignedTo),
    reply: chance.isLikely(0.6) ? chance.pick(words.replies) : undefined,
    status: chance.pick(['open', 'open', 'pending', 'closed', 'closed'] as const),
  }))
  const replied = plans.filter(({ agent, reply }) => agent !== undefined && reply !== undefined)
  await sideBySide(replied, ({ agent, conversation, reply = '' }) =>
    (agent?.crm ?? crm).messages.create(conversation._id, { content: reply }),
  )
  const moved = replied.filter(({ status }) => status !== 'open')
  await sideBySide(moved, ({ conversation, status }) =>
    crm.conversations.update(conversation._id, { status }),
  )
  return { replies: replied.length, closed: moved.filter(({ status }) => status === 'closed').length }
}

/** A few requests at a time; the results are in the order of the items. */
async function sideBySide<Item, Result>(
  items: readonly Item[],
  send: (item: Item) => PromiseLike<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  let next = 0
  const work = async () => {
    for (let index = next++; index < items.length; index = next++)
      results[index] = await send(items[index] as Item)
  }
  await Promise.all(Array.from({ length: requestsAtOnce }, work))
  return results
}
