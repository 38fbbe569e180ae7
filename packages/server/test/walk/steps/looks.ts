import assert from 'node:assert/strict'
import type { Conversation, Customer } from '../model.ts'
import { holds } from '../model.ts'
import { maybe, pickName, stepKind, words } from '../step-kind.ts'
import type { Body, Walker } from '../walker.ts'
import { expectConversation } from './conversations.ts'
import { expectCustomer } from './customers.ts'

const path = '/api/v1'

interface CustomerFilter {
  search?: string | undefined
  tag?: string | undefined
  tier?: string | undefined
  email?: string | undefined
  sort?: string | undefined
  include?: string | undefined
}
interface ConversationFilter {
  status?: string | undefined
  assignee?: string | undefined
  customer?: string | undefined
  label?: string | undefined
  priority?: string | undefined
  search?: string | undefined
  sort?: string | undefined
}

const queryOf = (fields: Readonly<Record<string, string | undefined>>) =>
  Object.entries(fields)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`]))
    .join('&')

/** Whether a term is in what a search of conversations compares of their customer. */
const inPerson = ({ profile }: Customer, term: string) =>
  [profile.firstName, profile.lastName, profile.email, profile.phone].some((value) =>
    value?.toLowerCase().includes(term),
  )

const inProfile = ({ profile }: Customer, term: string) =>
  Object.values(profile).some((value) => value?.toLowerCase().includes(term))

/** A list is in the order that was asked for. */
function expectOrder(rows: readonly Body[], sort: string): void {
  const isDescending = sort.startsWith('-')
  const field = sort.replace('-', '')
  if (field !== 'createdAt' && field !== 'updatedAt') return
  const values = rows.map((row) => row[field])
  const sorted = values.toSorted()
  assert.deepEqual(values, isDescending ? sorted.toReversed() : sorted, `the order of ${sort}`)
}

function countOpen({ model }: Walker, customer: string): number {
  return model
    .alive(model.conversations)
    .filter((one) => one.customer === customer && one.status !== 'closed').length
}

async function lookAtCustomers(walker: Walker, filter: CustomerFilter, limit: number): Promise<void> {
  const { search, tag, tier, email, sort = '-createdAt' } = filter
  const { include } = filter
  const query = queryOf({ search, tags: tag, tier, email, sort: filter.sort, include })
  const rows = await walker.all(`${path}/customers${query && `?${query}`}`, limit)
  const expected = walker.model
    .alive(walker.model.customers)
    .filter((one) => search === undefined || inProfile(one, search.toLowerCase()))
    .filter((one) => tag === undefined || holds(one.tags, tag))
    .filter((one) => tier === undefined || one.tier === tier)
    .filter((one) => email === undefined || one.profile.email?.toLowerCase() === email.toLowerCase())
  const names = rows.map((row) => walker.nameOf(row._id) ?? '')
  walker.same(names.toSorted(), expected.map(({ name }) => name).toSorted(), `customers ${query}`)
  for (const row of rows) {
    const name = walker.nameOf(row._id) ?? ''
    expectCustomer(walker, row, name)
    const open = include === undefined ? null : countOpen(walker, name)
    walker.same(row.openConversations, open, `the open conversations of ${name}`)
  }
  expectOrder(rows, sort)
}

/** Whether a term is in the subject of a conversation, or in its customer. */
function isAbout({ model }: Walker, { subject, customer: name }: Conversation, term: string): boolean {
  if (subject.toLowerCase().includes(term)) return true
  const customer = model.alive(model.customers).find((one) => one.name === name)
  return customer !== undefined && inPerson(customer, term)
}

const groupMax = 20

/** Rows of a search are those of the model with the word, and all of them when there are few. */
async function lookAtSearch(walker: Walker, term: string): Promise<void> {
  const { model } = walker
  const query = queryOf({ q: term, limit: String(groupMax) })
  const { data } = await walker.expect(200, 'GET', `${path}/search?${query}`, undefined, { as: 'owner' })
  const groups: [string, (string | undefined)[], string[], boolean][] = [
    [
      'customers',
      data.customers.map((row: Body) => walker.nameOf(row.customer._id)),
      model.alive(model.customers).flatMap((one) => (inProfile(one, term) ? [one.name] : [])),
      data.isPartial.customers,
    ],
    [
      'conversations',
      data.conversations.map((row: Body) => walker.nameOf(row.conversation._id)),
      model.alive(model.conversations).flatMap((one) => (isAbout(walker, one, term) ? [one.name] : [])),
      data.isPartial.conversations,
    ],
    [
      'messages',
      data.messages.map((row: Body) => walker.nameOf(row.messageId)),
      model
        .alive(model.messages)
        .flatMap((one) => (one.content.toLowerCase().includes(term) ? [one.name] : [])),
      data.isPartial.messages,
    ],
  ]
  for (const [group, names, expected, isPartial] of groups) {
    const strangers = names.filter((name) => !expected.includes(name ?? ''))
    walker.same(strangers, [], `${group} that a search of ${term} should not find`)
    const isWhole = !isPartial && expected.length <= groupMax
    if (isWhole) walker.same(names.toSorted(), expected.toSorted(), `${group} of a search of ${term}`)
  }
}

async function lookAtConversations(walker: Walker, filter: ConversationFilter, limit: number): Promise<void> {
  const { status, assignee, customer, label, priority, search, sort = '-updatedAt' } = filter
  const { model } = walker
  const query = queryOf({
    status,
    assignedTo: assignee === 'none' || assignee === undefined ? assignee : walker.id(assignee),
    customerId: customer === undefined ? undefined : walker.id(customer),
    label,
    priority,
    search,
    sort: filter.sort,
  })
  const rows = await walker.all(`${path}/conversations${query && `?${query}`}`, limit)
  const term = search?.toLowerCase()
  const isFound = (one: Conversation) =>
    term === undefined ||
    isAbout(walker, one, term) ||
    model
      .alive(model.messages)
      .some(({ conversation, content }) => conversation === one.name && content.toLowerCase().includes(term))
  const expected = model
    .alive(model.conversations)
    .filter((one) => status === undefined || one.status === status)
    .filter((one) => assignee === undefined || one.assignee === (assignee === 'none' ? null : assignee))
    .filter((one) => customer === undefined || one.customer === customer)
    .filter((one) => label === undefined || holds(one.labels, label))
    .filter((one) => priority === undefined || one.priority === priority)
    .filter(isFound)
  const names = rows.map((row) => walker.nameOf(row._id) ?? '')
  walker.same(names.toSorted(), expected.map(({ name }) => name).toSorted(), `conversations ${query}`)
  for (const row of rows) expectConversation(walker, row, walker.nameOf(row._id) ?? '')
  expectOrder(rows, sort)
}

async function lookAtMessages(walker: Walker, name: string, limit: number): Promise<void> {
  const { model } = walker
  const at = `${path}/conversations/${walker.id(name)}`
  const conversation = model.conversations.get(name) as Conversation
  if (conversation.isGone) return void (await walker.expect(404, 'GET', at))
  const rows = await walker.all(`${at}/messages`, limit)
  const expected = model.alive(model.messages).filter((one) => one.conversation === name)
  walker.same(
    rows.map((row) => [walker.nameOf(row._id), row.content, row.status, row.direction, row.via]),
    expected.map((one) => [one.name, one.content, one.status, one.direction, one.via]),
    `messages of ${name}`,
  )
  const counted = expected.filter(({ type }) => type !== 'note').length
  walker.same(conversation.messageCount, counted, `messageCount of ${name}`)
}

/** The counts of the views beside the rows of the model. */
async function lookAtCounts(walker: Walker): Promise<void> {
  const { data } = await walker.expect(200, 'GET', `${path}/conversations/counts`, undefined, { as: 'owner' })
  const { model } = walker
  const open = model.alive(model.conversations)
  for (const [view, count] of Object.entries<Body>(data.views ?? {})) {
    if (view === 'snoozed') {
      walker.same(
        count.total,
        open.filter(({ status }) => status === 'snoozed').length,
        'the count of snoozed',
      )
    }
  }
}

/** Everything at once, as at the end of a walk. */
export async function lookAtAll(walker: Walker): Promise<void> {
  await lookAtCustomers(walker, { include: 'openConversations' }, 50)
  await lookAtConversations(walker, {}, 50)
  for (const { name } of walker.model.conversations.values()) await lookAtMessages(walker, name, 50)
  for (const message of walker.model.messages.values()) {
    if (message.isGone && walker.isNamed(message.name)) {
      await walker.expect(404, 'GET', `${path}/messages/${walker.id(message.name)}`)
    }
  }
}

export const lookSteps = {
  'look.customers': stepKind<{ filter: CustomerFilter; limit: number }>({
    weight: 6,
    choose(choosing) {
      const { random, model } = choosing
      const some = random.isOneIn(2)
        ? model.customers.get(pickName(choosing, model.customers) ?? '')
        : undefined
      const marker = some?.profile.firstName?.split(' ').at(-1)
      return {
        filter: {
          search: maybe(random, 3, () => random.pick(['some', 'zq1', marker ?? 'first'])),
          tag: maybe(random, 4, () => random.pick(words)),
          tier: maybe(random, 4, () => random.pick(['bronze', 'gold'])),
          email: maybe(random, 6, () => some?.profile.email ?? 'nobody@people.test'),
          sort: maybe(random, 2, () => random.pick(['createdAt', '-createdAt', 'updatedAt', '-updatedAt'])),
          include: maybe(random, 2, () => 'openConversations'),
        },
        limit: random.pick([2, 7, 100]),
      }
    },
    run: (walker, { filter, limit }) => lookAtCustomers(walker, filter, limit),
  }),

  'look.search': stepKind<{ term: string }>({
    weight: 4,
    choose: ({ random }) => ({ term: random.pick(['broken', 'inbound', 'lamp', 'zq1', 'zq2', 'first']) }),
    run: (walker, { term }) => lookAtSearch(walker, term),
  }),

  'look.conversations': stepKind<{ filter: ConversationFilter; limit: number }>({
    weight: 6,
    choose(choosing) {
      const { random, model } = choosing
      return {
        filter: {
          status: maybe(random, 3, () => random.pick(['open', 'closed', 'snoozed', 'pending'])),
          assignee: maybe(random, 4, () => random.pick(['none', 'u-owner', 'u-agent'])),
          customer: maybe(random, 4, () => pickName(choosing, model.customers)),
          label: maybe(random, 5, () => random.pick(words)),
          priority: maybe(random, 5, () => random.pick(['low', 'urgent'])),
          search: maybe(random, 5, () => random.pick(['broken', 'inbound', 'lamp', 'zq2'])),
          sort: maybe(random, 2, () => random.pick(['createdAt', '-createdAt', 'updatedAt', '-updatedAt'])),
        },
        limit: random.pick([2, 7, 100]),
      }
    },
    run: (walker, { filter, limit }) => lookAtConversations(walker, filter, limit),
  }),

  'look.messages': stepKind<{ conversation: string; limit: number }>({
    weight: 5,
    choose(choosing) {
      const conversation = pickName(choosing, choosing.model.conversations)
      return conversation && { conversation, limit: choosing.random.pick([1, 3, 50]) }
    },
    run: (walker, { conversation, limit }) => lookAtMessages(walker, conversation, limit),
  }),

  'look.counts': stepKind<object>({ weight: 2, choose: () => ({}), run: (walker) => lookAtCounts(walker) }),
}
