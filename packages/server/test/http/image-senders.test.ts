import { createHash } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { addColleague } from '../support/add-colleague.ts'
import { call, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'

const service = useService()
let owner: Awaited<ReturnType<typeof registerTenant>>
beforeEach(async () => {
  owner = await registerTenant(service.url)
})

const path = '/api/v1/users/me'
const ask = (method: string, at = path, body?: unknown, token = owner.token) =>
  call(service.url, { method, path: at, token, ...(body !== undefined && { body }) })
const digest = (of: string) => createHash('sha256').update(of).digest('hex')
const choose = (of: string, isShown: boolean) =>
  ask('PUT', path, { imageSender: { digest: digest(of), isShown } })
const chosen = async () => (await ask('GET')).body.data.imageSenders

test('a sender is added once and removed again, and no audit entry names it', async () => {
  expect(await chosen()).toEqual([])
  const added = await choose('ada', true)
  expect([added.status, added.body.data.imageSenders]).toEqual([200, [digest('ada')]])
  await choose('bob', true)
  await choose('ada', true)
  expect(await chosen()).toEqual([digest('ada'), digest('bob')])
  expect((await choose('ada', false)).body.data.imageSenders).toEqual([digest('bob')])
  await choose('nobody', false)
  expect(await chosen()).toEqual([digest('bob')])
  const { body } = await ask('GET', '/api/tenant/audit-log')
  expect(body.data.map(({ action }: { action: string }) => action)).toEqual(['tenant.registered'])
})

test('a sender alone emits no event, and that of another change beside it does not name the sender', async () => {
  await choose('ada', true)
  const body = { firstName: 'Nora', imageSender: { digest: digest('bob'), isShown: true } }
  expect((await ask('PUT', path, body)).body.data).toMatchObject({
    firstName: 'Nora',
    imageSenders: [digest('ada'), digest('bob')],
  })
  const events = async () => (await ask('GET', '/api/v1/events?after=earliest&types=user.updated')).body.data
  await expect.poll(async () => (await events()).length).toBeGreaterThan(0)
  const [event, ...others] = await events()
  expect(others).toEqual([])
  expect(event.changes).toMatchObject({ firstName: { to: 'Nora' } })
  expect(JSON.stringify(event)).not.toMatch(/imageSender|[0-9a-f]{64}/)
})

test('the last 200 senders stay', async () => {
  for (let index = 0; index <= 200; index += 1) await choose(`sender ${index}`, true)
  const senders = await chosen()
  expect([senders.length, senders[0], senders.at(-1)]).toEqual([
    200,
    digest('sender 1'),
    digest('sender 200'),
  ])
})

test('nobody else sees the senders of a person, and the row keeps them sealed', async () => {
  await choose('ada', true)
  const { _id: userId, tenantId } = owner.user
  const row = await service.service.storage.forTenant(tenantId).users.find(userId)
  expect(row?.imageSenders).toMatch(/./)
  expect(JSON.stringify(row)).not.toContain(digest('ada'))
  const colleague = await addColleague(service, { tenantId, role: 'admin' })
  for (const at of ['/api/v1/users', `/api/v1/users/${userId}`, '/api/auth/me']) {
    const shown = await ask('GET', at, undefined, colleague.token)
    expect([shown.status, JSON.stringify(shown.body)]).toEqual([
      200,
      expect.not.stringContaining('imageSenders'),
    ])
  }
  expect((await ask('GET', path, undefined, colleague.token)).body.data.imageSenders).toEqual([])
})

test.each(['', 'ada@example.com', digest('ada').toUpperCase(), `${digest('ada')}0`])(
  '%j is no digest of a sender',
  async (text) => {
    const refused = await ask('PUT', path, { imageSender: { digest: text, isShown: true } })
    expect([refused.status, refused.body.details[0].field]).toEqual([422, 'imageSender.digest'])
  },
)
