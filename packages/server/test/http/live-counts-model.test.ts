// Runs on both databases by day: a random walk over stored states.

import { type Arbitrary, constant, constantFrom, nat, oneof, record } from 'fast-check'
import { expect, test } from 'vitest'
import type { BoardUser } from '../../src/live/board-user.ts'
import { CountBoard } from '../../src/live/count-board.ts'
import type { TenantId } from '../../src/storage/records.ts'
import { addColleague } from '../support/add-colleague.ts'
import { call, registerTenant } from '../support/call.ts'
import { runModel } from '../support/run-model.ts'
import { useService } from '../support/use-service.ts'

// The counts that a process keeps in memory are those that the query returns, after any sequence of changes.

const running = useService()

const statuses = ['open', 'closed', 'pending', 'snoozed'] as const
/** `by` and `of` are numbers of a user and of a conversation. */
type Action = { by: number; of: number } & (
  | { type: 'create'; message: 'none' | 'inbound' | 'note' }
  | { type: 'put'; change: object; assignee?: number | null | undefined }
  | { type: 'say'; as: 'reply' | 'note' | 'inbound' }
  | { type: 'read' | 'unread' | 'delete' | 'comeLate' | 'fail' }
)

const who = { by: nat(1), of: nat(20) }
const put = record({
  ...who,
  type: constant('put' as const),
  change: oneof(
    record({ status: constantFrom(...statuses) }),
    record({ priority: constantFrom('low', 'high') }),
  ),
  assignee: constantFrom(undefined, undefined, null, 0, 1),
})
const action: Arbitrary<Action> = oneof(
  record({ ...who, type: constant('create' as const), message: constantFrom('none', 'inbound', 'note') }),
  put,
  put,
  record({ ...who, type: constant('say' as const), as: constantFrom('reply', 'note', 'inbound') }),
  record({ ...who, type: constantFrom('read', 'unread') }),
  record({ ...who, type: constantFrom('delete', 'comeLate', 'fail') }),
)

interface Member {
  token: string
  _id: string
  user: BoardUser
}

/** A tenant with two users on a board, and the changes that a list of actions makes. */
async function newWorld() {
  const owner = await registerTenant(running.url)
  const tenantId: TenantId = owner.tenant._id
  const board = new CountBoard(running.service.storage.forTenant(tenantId), {
    listener: { onTotals() {}, onUnread() {}, onRead() {} },
    now: () => new Date().toISOString(),
  })
  await board.read()
  const members: Member[] = []
  const join = async ({ token, userId }: { token: string; userId: string }) => {
    const { body } = await call(running.url, { path: '/api/v1/users/me', token })
    const user = await board.addUser({ _id: userId, createdAt: body.data.createdAt })
    members.push({ token, _id: userId, user })
  }
  await join({ token: owner.token, userId: owner.user._id })
  await join(await addColleague(running, { tenantId, role: 'agent' }))
  const inboxes = await call(running.url, { path: '/api/v1/inboxes', token: owner.token })
  const inboxId: string = inboxes.body.data[0]._id
  return { board, members, join, tenantId, inboxId, ids: [] as string[] }
}
type World = Awaited<ReturnType<typeof newWorld>>

const path = '/api/v1/conversations'

async function apply(world: World, step: Action): Promise<void> {
  const { members, ids, inboxId } = world
  const { token, _id: userId } = members[step.by] as Member
  const send = async (method: string, target: string, body: object = {}) => {
    const response = await call(running.url, { method, path: target, token, body })
    expect(response.body).toMatchObject({ success: true })
    return response.body.data
  }
  if (step.type === 'create') {
    const message = {
      content: 'Hello',
      ...(step.message === 'note' ? { type: 'note' } : { direction: 'inbound' }),
    }
    const { _id } = await send('POST', path, {
      subject: 'Help',
      inboxId,
      ...(step.message !== 'none' && { message }),
    })
    ids.push(_id)
    if (step.message === 'inbound') await noteEntered(world, { userId, token, id: _id })
    return
  }
  if (step.type === 'comeLate') {
    if (members.length < 4)
      await world.join(await addColleague(running, { tenantId: world.tenantId, role: 'agent' }))
    return
  }
  const id = ids[step.of % ids.length]
  if (id === undefined) return
  const own = `${path}/${id}`
  if (step.type === 'put') {
    const assignedTo = step.assignee == null ? step.assignee : members[step.assignee]?._id
    await send('PUT', own, { ...step.change, ...(assignedTo !== undefined && { assignedTo }) })
  } else if (step.type === 'say') {
    const kind = step.as === 'inbound' ? { direction: 'inbound' } : { type: step.as }
    await send('POST', `${own}/messages`, { content: 'Hello', ...kind })
    if (step.as === 'inbound') await noteEntered(world, { userId, token, id })
  } else if (step.type === 'fail') {
    // The newest reply ends no wait then.
    const { body } = await call(running.url, { path: `${own}/messages?order=desc`, token })
    const found = body.data.find(
      ({ direction, status }: Record<string, string>) => direction === 'outbound' && status === 'sent',
    )
    if (found) await send('PUT', `/api/v1/messages/${found._id}`, { status: 'failed' })
  } else if (step.type === 'delete') {
    await send('DELETE', own)
    ids.splice(ids.indexOf(id), 1)
  } else {
    const { seq, unread } = await send('POST', `${own}/${step.type}`)
    // Nobody else has written, so nothing is marked, and the service gives no signal.
    if (step.type === 'unread' && unread.count === 0) return
    world.board.noteRead(userId, { conversationId: id, seq, unread })
  }
}

/** The signal that a user has read the message that they entered for a customer. */
async function noteEntered(
  { board }: World,
  { userId, token, id }: Record<'userId' | 'token' | 'id', string>,
) {
  const { body } = await call(running.url, { path: `${path}/${id}`, token })
  board.noteRead(userId, { conversationId: id, seq: body.data.seq, unread: { count: 0 } })
}

async function assertEqual({ board, members }: World): Promise<void> {
  for (const { token, user } of members) {
    const { body } = await call(running.url, { path: `${path}/counts`, token })
    const kept = async () => {
      await board.follow()
      if (board.isClosedStale) await board.readClosed()
      // The counts of mails are for admins.
      const views = board.views.filter((view) => view in body.data.views)
      return Object.fromEntries(views.map((view) => [view, board.countOf(user, view)]))
    }
    await expect.poll(kept, { interval: 10 }).toEqual(body.data.views)
  }
  // Everything was known from the events: the conversations were read only once.
  expect(board.isStale).toBe(false)
}

test(
  'the counts in memory are those of the query after any changes, without reading the conversations again [own.counts]',
  {
    timeout: 120_000,
  },
  () =>
    runModel({
      name: 'counts',
      action,
      runForMs: 15_000,
      async walk(actions) {
        const world = await newWorld()
        for (const [index, step] of actions.entries()) {
          await apply(world, step)
          if (index % 5 === 0) await assertEqual(world)
        }
        await assertEqual(world)
      },
    }),
)
