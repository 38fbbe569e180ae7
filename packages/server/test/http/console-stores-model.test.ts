// Runs on both databases by day: the events of both, in their orders, as two consoles apply them.

import { isDeepStrictEqual } from 'node:util'
import { type Arbitrary, constant, constantFrom, nat, oneof, record } from 'fast-check'
import { expect, test } from 'vitest'
import { Crm } from '../../../console/src/api/crm.ts'
import { followEvents } from '../../../console/src/api/live-events.ts'
import { emptyDraft } from '../../../console/src/store/draft.ts'
import { undoSend } from '../../../console/src/store/outgoing.ts'
import { createStore, type Store } from '../../../console/src/store/store.ts'
import { queryOf, viewNames } from '../../../console/src/store/views.ts'
import { addColleague } from '../support/add-colleague.ts'
import { runsAll } from '../support/by-day.ts'
import { call, createKey, registerTenant } from '../support/call.ts'
import { type CuttableProxy, startProxy } from '../support/cuttable-proxy.ts'
import { runModel } from '../support/run-model.ts'
import { useService } from '../support/use-service.ts'

// Two agents work with the console's own stores and streams, while customers write and streams are cut. Both stores then show
// the state that the service says.

const running = useService()
const stepsOfWalk = 100
const permissions = ['read:conversations', 'write:conversations', 'read:customers', 'write:customers']
const future = '2999-01-01T00:00:00.000Z'

/** `by` and `of` are numbers of an agent and of a conversation. */
type Action = { by: number; of: number } & (
  | { type: 'begin' | 'write' | 'fail' | 'delete' | 'look' | 'unread' | 'cut' | 'undo' }
  | { type: 'say'; as: 'reply' | 'note' }
  | { type: 'change'; fields: object }
  | { type: 'assign'; to: number | null }
  | { type: 'label'; labels: string[] }
  | { type: 'merge'; into: number }
  | { type: 'eraseCustomer' }
)

const who = { by: nat(1), of: nat(30) }
const one = <T extends string>(...types: T[]) => record({ ...who, type: constantFrom(...types) })
const action: Arbitrary<Action> = oneof(
  { weight: 4, arbitrary: one('begin', 'write') },
  {
    weight: 4,
    arbitrary: record({ ...who, type: constant('say' as const), as: constantFrom('reply', 'note') }),
  },
  {
    weight: 4,
    arbitrary: record({
      ...who,
      type: constant('change' as const),
      fields: constantFrom<object[]>(
        { status: 'closed' },
        { status: 'open' },
        { status: 'pending' },
        { status: 'snoozed', snoozedUntil: future },
        { priority: 'urgent' },
        { priority: 'low' },
        { subject: 'Renamed' },
      ),
    }),
  },
  {
    weight: 3,
    arbitrary: record({ ...who, type: constant('assign' as const), to: constantFrom(0, 1, null) }),
  },
  {
    weight: 1,
    arbitrary: record({
      ...who,
      type: constant('label' as const),
      labels: constantFrom<string[][]>([], ['a'], ['a', 'b']),
    }),
  },
  { weight: 4, arbitrary: one('look') },
  { weight: 3, arbitrary: one('unread', 'fail', 'undo', 'cut') },
  { weight: 1, arbitrary: record({ ...who, type: constant('merge' as const), into: nat(30) }) },
  { weight: 1, arbitrary: one('delete', 'eraseCustomer') },
)

interface Agent {
  readonly store: Store
  readonly proxy: CuttableProxy
  readonly controller: AbortController
  /** Takes the newest change of a property back. */
  undo: (() => Promise<unknown>) | undefined
}

interface World {
  readonly agents: readonly Agent[]
  readonly token: string
  readonly inboxId: string
  readonly ids: string[]
}

/** A console as its page starts it: the stream first, then what the screen shows. */
async function openAgent(token: string): Promise<Agent> {
  const proxy = await startProxy({ host: '127.0.0.1', port: Number(new URL(running.url).port) })
  const crm = new Crm({ baseUrl: `http://127.0.0.1:${proxy.port}`, accessToken: token })
  const me = await crm.users.me()
  const store = createStore(crm, { user: me, tenant: { _id: 'ten_1', name: 'Lamps' } })
  const controller = new AbortController()
  await followEvents({
    name: `walk:${me._id}`,
    crm,
    signal: controller.signal,
    onEvent: (event) => store.apply(event),
    onLive: (event) => store.applyLive(event),
    onOpen: () => {
      store.presence.resume()
      store.looks.resume()
    },
    onInterrupted: () => store.presence.interrupt(),
    onGap: () => store.looks.refresh(),
    onReach() {},
  })
  await store.loadPeople()
  for (const view of viewNames) await store.lists.readAll({ view })
  return { store, proxy, controller, undo: undefined }
}

async function openWorld(): Promise<World> {
  const owner = await registerTenant(running.url)
  const colleague = await addColleague(running, { tenantId: owner.tenant._id, role: 'agent' })
  const inboxes = await call(running.url, { path: '/api/v1/inboxes', token: owner.token })
  const agents = [await openAgent(owner.token), await openAgent(colleague.token)]
  const token = await createKey(running.url, owner.token, permissions)
  return { agents, token, inboxId: inboxes.body.data[0]._id, ids: [] }
}

const path = '/api/v1/conversations'

/** Somebody outside of both consoles. Refusals belong to the walk: a colleague may have been faster. */
async function ask({ token }: World, method: string, target: string, body?: object) {
  const response = await call(running.url, { method, path: target, token, body })
  expect(response.status).toBeLessThan(500)
  return response.body?.data
}

async function apply(world: World, step: Action): Promise<void> {
  const { ids } = world
  const agent = world.agents[step.by] as Agent
  if (step.type === 'begin') return begin(world)
  if (step.type === 'cut') return agent.proxy.cut(step.of % 2)
  if (step.type === 'undo') {
    const { undo } = agent
    agent.undo = undefined
    await undo?.().catch(() => undefined)
    return
  }
  const id = ids[step.of % ids.length]
  if (id === undefined) return
  if (step.type === 'write') await ask(world, 'POST', `${path}/${id}/messages`, inbound)
  else if (step.type === 'delete') await ask(world, 'DELETE', `${path}/${id}`)
  else if (step.type === 'fail') await failNewest(world, id)
  else if (step.type === 'eraseCustomer') await eraseCustomer(world, id)
  else if (step.type === 'merge') {
    const targetId = ids[step.into % ids.length]
    await ask(world, 'POST', `${path}/${id}/merge`, { targetId })
  } else await applyByConsole(world, { agent, id, step })
}

const inbound = { content: 'The lamp is *dark*', direction: 'inbound' }

async function begin(world: World): Promise<void> {
  const customer = await ask(world, 'POST', '/api/v1/customers', { firstName: 'Grace' })
  const body = { subject: 'A lamp', customerId: customer._id, inboxId: world.inboxId, message: inbound }
  world.ids.push((await ask(world, 'POST', path, body))._id)
}

async function failNewest(world: World, id: string): Promise<void> {
  const messages = (await ask(world, 'GET', `${path}/${id}/messages?order=desc`)) ?? []
  const found = messages.find(({ direction, status }: Record<string, string>) => {
    return direction === 'outbound' && status === 'sent'
  })
  if (found) await ask(world, 'PUT', `/api/v1/messages/${found._id}`, { status: 'failed' })
}

async function eraseCustomer(world: World, id: string): Promise<void> {
  const conversation = await ask(world, 'GET', `${path}/${id}`)
  const customerId = conversation?.customerId?._id
  if (customerId) await ask(world, 'DELETE', `/api/v1/customers/${customerId}`)
}

interface Step {
  readonly agent: Agent
  readonly id: string
  readonly step: Action
}

async function applyByConsole(world: World, { agent, id, step }: Step): Promise<void> {
  const { store } = agent
  const known = store.conversations.rows.peek(id)
  if (known === undefined) return
  const update = async (fields: object) => {
    const before = Object.fromEntries(Object.keys(fields).map((key) => [key, Reflect.get(known, key)]))
    await store.conversations.update(id, fields)
    if (known.status !== 'snoozed') agent.undo = () => store.conversations.update(id, before)
  }
  // The screen shows the reason of a refusal.
  const refused = () => undefined
  if (step.type === 'say') {
    // The field for it stands in the opened conversation.
    await lookAt(agent, id, false)
    const draft = { ...emptyDraft, type: step.as, content: 'Press the **switch**' }
    await store.outgoing.send(id, draft, { ifSeq: store.conversations.rows.peek(id)?.seq ?? known.seq })
  } else if (step.type === 'change') await update(step.fields).catch(refused)
  else if (step.type === 'assign') {
    const assignedTo = step.to === null ? null : (world.agents[step.to]?.store.me._id ?? null)
    await update({ assignedTo }).catch(refused)
  } else if (step.type === 'label') await store.conversations.setLabels(id, step.labels).catch(refused)
  else await lookAt(agent, id, step.type === 'unread')
}

/** As the thread does: it opens, shows itself as read, and is left. */
async function lookAt({ store }: Agent, id: string, isLeftUnread: boolean): Promise<void> {
  store.conversations.endLeftUnread(id)
  const leave = store.looks.show(id)
  store.presence.report(id, 'viewing')
  await store.looks.read(id)
  const { seq = 0, unread } = store.conversations.rows.peek(id) ?? {}
  if (store.looks.at(id).peek().isRead && unread?.count) {
    store.conversations.showRead(id)
    store.presence.read(id, seq)
  }
  const newest = store.threads.open(id).peek().messages.at(-1)
  if (isLeftUnread && newest !== undefined)
    await store.conversations.markUnread(id, newest._id).catch(() => undefined)
  leave()
  store.presence.report(id, 'none')
}

type Row = Record<string, unknown> & { readonly _id: string }

function factsOf(row: Row | undefined) {
  if (row === undefined) return undefined
  const { status, priority, subject, labels, seq, messageCount, waitingSince, lastMessageAt } = row
  const { assignedTo, customerId, unread, lastMessage } = row as {
    [field: string]: { readonly _id?: string; readonly preview?: string } & string
  }
  return {
    ...{ status, priority, subject, labels, seq, messageCount, waitingSince, lastMessageAt },
    lastMessage: lastMessage && [lastMessage._id, lastMessage.preview],
    assignedTo: assignedTo?._id ?? assignedTo,
    customerId: customerId?._id ?? customerId,
    unread: unread && Reflect.get(Object(unread), 'count'),
  }
}

/** The lists and the counts of one console, and whether it has unsent messages. */
function shownBy({ store }: Agent) {
  const { lists, conversations, counts, threads } = store
  const views = viewNames.map((view) => {
    const { ids, total } = lists.open({ view }).peek()
    return [view, { total, rows: ids.map((id) => [id, factsOf(conversations.rows.peek(id) as never)]) }]
  })
  const ofViews = viewNames.map((view) => [view, counts.peek()[view]])
  return {
    views: Object.fromEntries(views),
    counts: Object.fromEntries(ofViews),
    unsent: threads.hasUnsent(),
  }
}

/** The same as the service says it to this agent. */
async function saidTo({ store }: Agent) {
  const { crm } = store
  const views = viewNames.map(async (view) => {
    const { data, total } = await crm.conversations.list({ ...queryOf({ view }), limit: 100 })
    return [view, { total, rows: data.map((row) => [row._id, factsOf(row as never)]) }]
  })
  const said = await crm.conversations.counts()
  return {
    views: Object.fromEntries(await Promise.all(views)),
    counts: Object.fromEntries(viewNames.map((view) => [view, Reflect.get(said.views, view)])),
    unsent: false,
  }
}

/** For what hangs. A list that has failed once is made shorter, and each attempt waits less. */
let patienceMs = 60_000
const patienceAfterFailureMs = 5_000

async function expectEqual({ agents }: World): Promise<void> {
  for (const agent of agents) {
    // Both sides are read until they are equal: events arrive a moment after their changes.
    const plain = (value: object) => JSON.parse(JSON.stringify(value))
    const isEqual = async () => isDeepStrictEqual(plain(shownBy(agent)), plain(await saidTo(agent)))
    try {
      await expect.poll(isEqual, { timeout: patienceMs, interval: 50 }).toBe(true)
    } catch (error) {
      patienceMs = patienceAfterFailureMs
      expect(shownBy(agent)).toEqual(await saidTo(agent))
      throw error
    }
  }
}

async function close({ agents }: World): Promise<void> {
  for (const { controller, proxy } of agents) {
    controller.abort()
    proxy.stop()
  }
}

test('the rows, the orders, the counts and the unread messages of two consoles are those of the service after any work of both [own.consoleStores]', {
  timeout: runsAll ? 3_600_000 : 180_000,
}, () => {
  undoSend.value = false
  return runModel({
    name: 'consoles',
    action,
    runForMs: 20_000,
    lengths: { minLength: 1, maxLength: 2 * stepsOfWalk },
    ...(runsAll && { walks: 10_000 / stepsOfWalk }),
    async walk(actions) {
      const world = await openWorld()
      try {
        for (const step of actions) await apply(world, step)
        await expectEqual(world)
      } finally {
        await close(world)
      }
    },
  })
})
