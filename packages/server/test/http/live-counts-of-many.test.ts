import { expect, test } from 'vitest'
import { CountBoard } from '../../src/live/count-board.ts'
import type { TenantId } from '../../src/storage/records.ts'
import { call, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'

// A tenant may have more open conversations than a process holds to count them.

const running = useService()
const path = '/api/v1/conversations'

/** Five open conversations of the owner, of whom a board holds the two that changed last. */
async function openBoard() {
  const owner = await registerTenant(running.url)
  const send = async (method: string, target: string, body?: object) => {
    const response = await call(running.url, { method, path: target, token: owner.token, body })
    expect(response.status).toBeLessThan(300)
    return response.body.data
  }
  const [{ _id: inboxId }] = await send('GET', '/api/v1/inboxes')
  const ids: string[] = []
  for (let count = 0; count < 5; count++) {
    const made = await send('POST', path, { subject: 'Help', inboxId, assignedTo: owner.user._id })
    ids.push(made._id)
  }
  const tenantId: TenantId = owner.tenant._id
  const board = new CountBoard(running.service.storage.forTenant(tenantId), {
    listener: { onTotals() {}, onUnread() {}, onRead() {} },
    now: () => new Date().toISOString(),
    heldMax: 2,
  })
  await board.read()
  const user = await board.addUser({ _id: owner.user._id, createdAt: owner.user.createdAt })
  const counts = () =>
    Object.fromEntries(
      ['open', 'mine', 'unassigned', inboxId].map((view) => [view, board.countOf(user, view)]),
    )
  const queried = async () => {
    const { views } = await send('GET', `${path}/counts`)
    return Object.fromEntries(Object.keys(counts()).map((view) => [view, views[view]]))
  }
  return { board, send, ids, counts, queried }
}

test('with more conversations than are held, each total is that of the list, and exact where the list is', async () => {
  const { counts, queried } = await openBoard()
  expect(counts()).toEqual(await queried())
  expect(counts()).toMatchObject({ open: { total: 5, isEstimate: false }, unassigned: { total: 0 } })
})

test.each([
  ['closed', 'PUT', { status: 'closed' }],
  ['deleted', 'DELETE', undefined],
] as const)('one that is not held and is %s is counted no longer', async (_change, method, body) => {
  const { board, send, ids, counts, queried } = await openBoard()
  await send(method, `${path}/${ids[0]}`, body)
  await expect
    .poll(async () => {
      await board.follow()
      return board.isStale
    })
    .toBe(true)
  await board.read()
  expect(counts()).toEqual(await queried())
  expect(counts()).toMatchObject({ open: { total: 4, isEstimate: false } })
})
