// Runs on both databases by day: many rows of one commit, and merges.

import { expect, test } from 'vitest'
import { call, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'

const running = useService()

async function newTenant() {
  const { token } = await registerTenant(running.url)
  const send = (method: string, path: string, body?: object) =>
    call(running.url, { method, path: `/api/v1${path}`, token, ...(body && { body }) })
  return {
    send,
    bulk: (body: object) => send('POST', '/customers/bulk', body),
    customer: async (fields: object) => (await send('POST', '/customers', fields)).body.data._id as string,
    get: async (id: string) => (await send('GET', `/customers/${id}`)).body.data,
    events: async () =>
      (await send('GET', '/events?limit=100')).body.data as { event: string; data: { _id: string } }[],
  }
}

test('POST /api/v1/customers/bulk with ids changes tags, with a result and an event for each changed customer', async () => {
  const { bulk, customer, get, events } = await newTenant()
  const ada = await customer({ firstName: 'Ada', tags: ['new', 'beta'] })
  const bob = await customer({ firstName: 'Bob', tags: ['VIP'] })
  const full = await customer({ firstName: 'Kim', tags: Array.from({ length: 50 }, (_, n) => `t${n}`) })
  const unknown = 'cus_01J8ZZZZZZZZZZZZZZZZZZZZZZ'
  const asked = { ids: [ada, bob, unknown, full, ada], addTags: ['vip'], removeTags: ['NEW'] }
  const { status, body } = await bulk(asked)
  expect(status).toBe(200)
  const row = { customer: null, code: null, problems: [] }
  expect(body.data).toEqual([
    {
      ...row,
      index: 0,
      _id: ada,
      result: 'changed',
      customer: expect.objectContaining({ tags: ['beta', 'vip'] }),
    },
    { ...row, index: 1, _id: bob, result: 'unchanged', customer: expect.objectContaining({ tags: ['VIP'] }) },
    { ...row, index: 2, _id: unknown, result: 'failed', code: 'NOT_FOUND' },
    { ...row, index: 3, _id: full, result: 'failed', code: 'VALIDATION_ERROR' },
  ])
  expect((await get(ada)).tags).toEqual(['beta', 'vip'])
  // MongoDB gives events their places after the commit.
  const updated = async () =>
    (await events()).filter(({ event }) => event === 'customer.updated').map(({ data }) => data._id)
  await expect.poll(updated).toEqual([ada])
})

test.each([
  ['neither customers nor ids', {}, 'ids', 'required'],
  ['both of them', { customers: [{ firstName: 'A' }], ids: ['cus_1'], addTags: ['a'] }, 'ids', 'required'],
  ['no tags', { ids: ['cus_1'], addTags: [] }, 'addTags', 'required'],
  ['tags of new customers', { customers: [{ firstName: 'A' }], addTags: ['a'] }, 'ids', 'required'],
  ['101 ids', { ids: Array.from({ length: 101 }, (_, n) => `cus_${n}`), addTags: ['a'] }, 'ids', 'max'],
] as const)('a bulk request with %s is refused', async (_, body, field, rule) => {
  const { bulk } = await newTenant()
  const refused = await bulk(body)
  expect(refused.status).toBe(422)
  expect(refused.body.details).toContainEqual(expect.objectContaining({ field, rule }))
})

const ofTarget = {
  firstName: 'Ada',
  lastName: 'King',
  email: 'ada@king.test',
  phone: '+49 30 1234567',
  company: 'Engines',
  jobTitle: 'Analyst',
  tier: 'gold',
}
const ofSource = {
  firstName: 'Augusta',
  lastName: 'Lovelace',
  email: 'augusta@lovelace.test',
  phone: '+49 30 7654321',
  company: 'Poetry',
  tier: 'silver',
}

test('prefer decides by field whose value a merge keeps, and the end of the merge gives both their own back', async () => {
  const { send, customer, get } = await newTenant()
  const [target, source] = [await customer(ofTarget), await customer(ofSource)]
  const before = { target: await get(target), source: await get(source) }
  const prefer = {
    firstName: 'source',
    email: 'source',
    phone: 'source',
    jobTitle: 'source',
    tier: 'source',
    company: 'target',
  }
  const merged = await send('POST', `/customers/${target}/merge`, { sourceId: source, prefer })
  expect(merged.status).toBe(200)
  const { company } = ofTarget
  const { firstName, email, phone } = ofSource
  expect(merged.body.data).toMatchObject({
    profile: { firstName, lastName: 'King', email, phone, company },
    // A blank value never wins.
    jobTitle: 'Analyst',
    tier: 'silver',
  })
  const addresses = (await get(target)).addresses as {
    address: string
    until: string | null
    source: string
  }[]
  expect(addresses.map((one) => [one.address, one.until, one.source])).toEqual([
    [email, null, 'profile'],
    [ofTarget.email, null, 'merged'],
  ])
  const unmerged = await send('POST', `/customers/${target}/unmerge`, { sourceId: source })
  expect(unmerged.body.data.kept).toEqual([])
  const same = ({ profile, jobTitle, tier, addresses: all }: typeof before.target) => ({
    profile,
    jobTitle,
    tier,
    all,
  })
  expect(same(await get(target))).toEqual(same(before.target))
  expect(same(await get(source))).toEqual(same(before.source))
})

test('the end of a merge leaves a preferred value that somebody has changed since', async () => {
  const { send, customer, get } = await newTenant()
  const [target, source] = [await customer(ofTarget), await customer(ofSource)]
  const prefer = { lastName: 'source', tier: 'source' }
  await send('POST', `/customers/${target}/merge`, { sourceId: source, prefer })
  await send('PUT', `/customers/${target}`, { lastName: 'Byron', tier: 'platinum' })
  const unmerged = await send('POST', `/customers/${target}/unmerge`, { sourceId: source })
  expect(unmerged.body.data.kept.sort()).toEqual(['profile.lastName', 'tier'])
  expect(await get(target)).toMatchObject({ profile: { lastName: 'Byron' }, tier: 'platinum' })
  expect(await get(source)).toMatchObject({ profile: { lastName: 'Lovelace' }, tier: 'silver' })
})
