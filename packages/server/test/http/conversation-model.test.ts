// Runs on both databases by day: a random walk over stored states.

import { type Arbitrary, constant, constantFrom, oneof, record, subarray } from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { addColleague } from '../support/add-colleague.ts'
import { call, registerTenant } from '../support/call.ts'
import { runModel } from '../support/run-model.ts'
import { useService } from '../support/use-service.ts'

// The state rules of contract 6, written a second time and as simply as possible: the state of a conversation after
// any sequence of changes and messages, and the events that it sends, in their order.

const running = useService()
let token: string
let inboxId: string
let userIds: string[]

beforeAll(async () => {
  const owner = await registerTenant(running.url)
  token = owner.token
  inboxId = (await send('GET', '/api/v1/inboxes')).body.data[0]._id
  const colleague = await addColleague(running, { tenantId: owner.tenant._id, role: 'agent' })
  userIds = [owner.user._id, colleague.userId]
})

const send = (method: string, path: string, body?: unknown) =>
  call(running.url, { method, path, token, body })

const statuses = ['open', 'closed', 'pending', 'snoozed'] as const
type Status = (typeof statuses)[number]
const future = '2999-01-01T00:00:00.000Z'
const past = '2020-01-01T00:00:00.000Z'

interface Change {
  status?: Status | null | undefined
  priority?: string | null | undefined
  /** The index of one of the two users. */
  assignee?: 0 | 1 | null | undefined
  snoozedUntil?: string | null | undefined
  wakeOnReply?: boolean | null | undefined
  labels?: string[] | null | undefined
}
type Action =
  | { type: 'put'; change: Change }
  | { type: 'say'; as: 'reply' | 'note' | 'inbound'; clientMessageId?: string | undefined }
  | { type: 'add' | 'remove'; labels: string[] }

const optional = <T>(...values: T[]) => constantFrom<(T | undefined)[]>(undefined, ...values)
const change: Arbitrary<Change> = record({
  status: optional(...statuses, ...statuses, null),
  priority: optional('low', 'medium', 'urgent', null),
  assignee: optional<0 | 1 | null>(0, 1, null),
  snoozedUntil: oneof({ weight: 4, arbitrary: constant(undefined) }, constantFrom(future, past, null)),
  wakeOnReply: oneof({ weight: 4, arbitrary: constant(undefined) }, constantFrom(true, false, null)),
  labels: oneof(
    { weight: 6, arbitrary: constant(undefined) },
    constantFrom<(string[] | null)[]>(null, [], ['a'], ['b', 'a']),
  ),
})
/** Drawn more often than chance would: a snooze has more rules than any other state. */
const snooze: Arbitrary<Change> = record({
  status: constant('snoozed' as const),
  snoozedUntil: optional(future, null),
  wakeOnReply: optional(true, false, false),
})
const action: Arbitrary<Action> = oneof(
  { weight: 2, arbitrary: record({ type: constant('put' as const), change: snooze }) },
  { weight: 5, arbitrary: record({ type: constant('put' as const), change }) },
  {
    weight: 4,
    arbitrary: record({
      type: constant('say' as const),
      as: constantFrom('reply', 'note', 'inbound', 'inbound'),
      clientMessageId: optional('one', 'two', undefined, undefined),
    }),
  },
  {
    weight: 1,
    arbitrary: record({
      type: constantFrom('add', 'remove'),
      labels: subarray(['a', 'B', 'c'], { minLength: 1 }),
    }),
  },
)

/** The rules' view of one conversation. Moments are taken from the service's responses. */
interface Model {
  status: Status
  priority: string
  assignedTo: string | null
  snoozedUntil: string | null
  wakeOnReply: boolean
  labels: string[]
  messageCount: number
  seq: number
  lastMessageAt: string | null
  firstResponseAt: string | null
  closedAt: string | null
}
/** An event's type, with the paths that its `changes` must name. */
type ExpectedEvent = [type: string, changed?: string[]]

interface Walk {
  path: string
  model: Model
  expectedEvents: ExpectedEvent[]
  /** The messages that have a `clientMessageId`. */
  named: Map<string, string>
}

/** Applies a change to the model, and expects its events in the contract's order. */
function become(walk: Walk, after: Model): void {
  const { model: before } = walk
  const fields = Object.keys(after) as (keyof Model)[]
  const changed = fields.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
  walk.model = after
  if (changed.length === 0) return
  walk.expectedEvents.push(['conversation.updated', changed.sort()])
  if (changed.includes('assignedTo')) walk.expectedEvents.push(['conversation.assigned'])
  if (before.status !== 'closed' && after.status === 'closed')
    walk.expectedEvents.push(['conversation.closed'])
}

async function put(walk: Walk, { assignee, ...fields }: Change): Promise<void> {
  const { model, path } = walk
  const assignedTo = assignee === undefined || assignee === null ? assignee : userIds[assignee]
  const response = await send('PUT', path, { ...fields, assignedTo })
  const status = fields.status === undefined ? model.status : (fields.status ?? 'open')
  const { snoozedUntil, wakeOnReply } = fields
  const isSnoozed = status === 'snoozed'
  const refused = isSnoozed
    ? snoozedUntil === past
      ? ['snoozedUntil']
      : []
    : Object.entries({ snoozedUntil, wakeOnReply }).flatMap(([name, value]) => (value == null ? [] : [name]))
  expect(response.body.details?.map(({ field }: { field: string }) => field) ?? []).toEqual(refused)
  expect(response.status).toBe(refused.length > 0 ? 422 : 200)
  if (refused.length > 0) return
  const given = <T>(value: T | null | undefined, before: T, cleared: T) =>
    value === undefined ? before : (value ?? cleared)
  const closedAt = model.status === 'closed' ? model.closedAt : response.body.data.updatedAt
  become(walk, {
    ...model,
    status,
    priority: given(fields.priority, model.priority, 'medium'),
    assignedTo: given<string | null>(assignedTo, model.assignedTo, null),
    labels: given(fields.labels, model.labels, []),
    snoozedUntil: isSnoozed ? given<string | null>(snoozedUntil, model.snoozedUntil, null) : null,
    wakeOnReply: isSnoozed ? given(wakeOnReply, model.wakeOnReply, true) : true,
    closedAt: status === 'closed' ? closedAt : null,
  })
}

async function say(walk: Walk, { as, clientMessageId }: Extract<Action, { type: 'say' }>): Promise<void> {
  const kind = as === 'note' ? { type: 'note' } : { direction: as === 'inbound' ? 'inbound' : 'outbound' }
  const response = await send('POST', `${walk.path}/messages`, { content: as, ...kind, clientMessageId })
  const { _id, createdAt } = response.body.data
  const first = clientMessageId && walk.named.get(clientMessageId)
  expect([response.status, first ?? _id]).toEqual([first ? 200 : 201, _id])
  if (first) return
  if (clientMessageId) walk.named.set(clientMessageId, _id)
  const model = { ...walk.model, seq: walk.model.seq + 1 }
  walk.model = model
  const events = { reply: 'message.sent', inbound: 'message.received', note: 'note.created' } as const
  walk.expectedEvents.push([events[as]])
  if (as === 'note') return
  const counted = { ...model, messageCount: model.messageCount + 1, lastMessageAt: createdAt }
  // A change of the counters alone sends no event.
  walk.model = {
    ...counted,
    firstResponseAt: as === 'reply' ? (model.firstResponseAt ?? createdAt) : model.firstResponseAt,
  }
  const sleepsOn = model.status === 'open' || (model.status === 'snoozed' && !model.wakeOnReply)
  if (as === 'reply' || sleepsOn) return
  become(walk, { ...walk.model, status: 'open', snoozedUntil: null, wakeOnReply: true, closedAt: null })
}

async function label(
  walk: Walk,
  { type, labels }: Extract<Action, { type: 'add' | 'remove' }>,
): Promise<void> {
  const response = await send(type === 'add' ? 'POST' : 'DELETE', `${walk.path}/labels`, { labels })
  expect(response.status).toBe(200)
  const { model } = walk
  const folded = (list: readonly string[]) => list.map((one) => one.toLowerCase())
  const remaining = model.labels.filter(
    (one) => type === 'add' || !folded(labels).includes(one.toLowerCase()),
  )
  const added = type === 'add' ? labels.filter((one) => !folded(remaining).includes(one.toLowerCase())) : []
  become(walk, { ...model, labels: [...remaining, ...added] })
}

/** The events of the conversation behind a position, up to the one that renames it. */
async function sentEvents(id: string, after: string): Promise<ExpectedEvent[]> {
  const read = async () => {
    const { body } = await send('GET', `/api/v1/events?limit=100&after=${encodeURIComponent(after)}`)
    // biome-ignore lint/suspicious/noExplicitAny: bodies of every type
    return body.data.filter(({ data }: any) => data._id === id || data.conversationId === id)
  }
  // On MongoDB an event gets its position in the log shortly after its commit.
  await expect.poll(async () => (await read()).at(-1)?.changes?.subject !== undefined).toBe(true)
  return (await read())
    .slice(0, -1)
    .map(({ event, changes }: { event: string; changes?: object }) =>
      changes ? [event, Object.keys(changes).sort()] : [event],
    )
}

test('a conversation follows the rules of its states, and sends each event once and in order [state.conversation own.conversationStates]', async () => {
  await runModel<Action>({
    name: 'conversation',
    action,
    async walk(actions) {
      const { nextCursor } = (await send('GET', '/api/v1/events?limit=1&after=latest')).body.pagination
      const made = (await send('POST', '/api/v1/conversations', { subject: 'Help', inboxId })).body.data
      const fresh = {
        status: 'open',
        priority: 'medium',
        assignedTo: null,
        labels: [],
        messageCount: 0,
        seq: 0,
      } as const
      const none = { snoozedUntil: null, lastMessageAt: null, firstResponseAt: null, closedAt: null }
      const walk: Walk = {
        path: `/api/v1/conversations/${made._id}`,
        model: { ...fresh, labels: [], ...none, wakeOnReply: true },
        expectedEvents: [['conversation.created']],
        named: new Map(),
      }
      let updatedAt = made.updatedAt
      for (const step of actions) {
        const toldBefore = walk.expectedEvents.length
        if (step.type === 'put') await put(walk, step.change)
        else if (step.type === 'say') await say(walk, step)
        else await label(walk, step)
        const { data } = (await send('GET', walk.path)).body
        expect({ ...data, assignedTo: data.assignedTo?._id ?? null }).toMatchObject(walk.model)
        expect(data.updatedAt >= updatedAt).toBe(true)
        if (walk.expectedEvents.length === toldBefore && step.type !== 'say')
          expect(data.updatedAt).toBe(updatedAt)
        updatedAt = data.updatedAt
      }
      await send('PUT', walk.path, { subject: 'The end' })
      expect(await sentEvents(made._id, nextCursor)).toEqual(walk.expectedEvents)
    },
  })
})
