import { expect, onTestFinished, test } from 'vitest'
import { type EmulatorOptions, startEmulator } from './start-emulator.ts'

const objects = '/crm/objects/2026-03'

/** An emulator with a service key, closed when the test ends. */
async function open(options: EmulatorOptions) {
  const emulator = await startEmulator(options)
  onTestFinished(() => emulator.close())
  const headers = { Authorization: `Bearer ${emulator.newServiceKey()}` }
  const send = async (path: string, body?: object) => {
    const init = body === undefined ? { headers } : { headers, method: 'POST', body: JSON.stringify(body) }
    const response = await fetch(`${emulator.url}${path}`, init)
    return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) }
  }
  return { emulator, send }
}

test('the HubSpot emulator counts requests in windows, shows what is left, and refuses what is beyond', async () => {
  const { send } = await open({ counts: { contacts: 1 }, limits: { requests: { max: 2, windowMs: 60_000 } } })
  const left = async () => (await send(`${objects}/contacts`)).headers.get('X-HubSpot-RateLimit-Remaining')
  expect([await left(), await left()]).toEqual(['1', '0'])
  const refused = await send(`${objects}/contacts`)
  expect(refused).toMatchObject({
    status: 429,
    body: { policyName: 'TEN_SECONDLY_ROLLING', status: 'error' },
  })
  expect(refused.headers.get('X-HubSpot-RateLimit-Interval-Milliseconds')).toBe('60000')
})

test('the HubSpot emulator serves requests again when a window is over', async () => {
  const { send } = await open({ limits: { requests: { max: 1, windowMs: 300 } } })
  expect((await send(`${objects}/contacts`)).status).toBe(200)
  await expect.poll(async () => (await send(`${objects}/contacts`)).status).toBe(429)
  await expect.poll(async () => (await send(`${objects}/contacts`)).status, { interval: 350 }).toBe(200)
})

test('the HubSpot emulator limits searches by themselves, without headers of limits', async () => {
  const limits = { requests: { max: 100, windowMs: 60_000 }, searches: { max: 1, windowMs: 60_000 } }
  const { send } = await open({ limits })
  const found = await send(`${objects}/contacts/search`, {})
  expect([found.status, found.headers.get('X-HubSpot-RateLimit-Max')]).toEqual([200, null])
  expect(await send(`${objects}/contacts/search`, {})).toMatchObject({
    status: 429,
    body: { policyName: 'SECONDLY' },
  })
  expect((await send(`${objects}/contacts`)).status).toBe(200)
})

test('the HubSpot emulator refuses requests beyond the daily limit until the next day', async () => {
  const { emulator, send } = await open({ limits: { perDay: 1 } })
  expect((await send(`${objects}/contacts`)).headers.get('X-HubSpot-RateLimit-Daily-Remaining')).toBe('0')
  expect(await send(`${objects}/contacts`)).toMatchObject({ status: 429, body: { policyName: 'DAILY' } })
  emulator.limits.restoreDay()
  expect((await send(`${objects}/contacts`)).status).toBe(200)
})

test('the HubSpot emulator refuses a search beyond 10,000 results', async () => {
  const { send } = await open({ counts: { contacts: 1 } })
  const page = (after: number) => send(`${objects}/contacts/search`, { limit: 100, after: String(after) })
  expect((await page(9_900)).status).toBe(200)
  expect((await page(9_901)).status).toBe(400)
})

test('the HubSpot emulator sends more than 100 links of an object in pages', async () => {
  const { send } = await open({ counts: { deals: 1, contacts: 250 }, linksOfObject: 250 })
  const listed = await send(`${objects}/deals?associations=contacts`)
  const { results, paging } = listed.body.results[0].associations.contacts
  expect([results.length, paging.next.after]).toEqual([100, '100'])
  const ids: number[] = []
  let after: string | undefined
  do {
    const path = '/crm/associations/2026-03/deals/contacts/batch/read'
    const { body } = await send(path, { inputs: [{ id: '501', after }] })
    const [result] = body.results
    ids.push(...result.to.map((to: { toObjectId: number }) => to.toObjectId))
    after = result.paging?.next.after
  } while (after !== undefined)
  expect(new Set(ids).size).toBe(250)
})

test('the HubSpot emulator plays a script of faults and changes objects for another process', async () => {
  const { send } = await open({ counts: { contacts: 3 } })
  const made = await send('/__emulator/create', { type: 'contacts', properties: { firstname: 'New' } })
  await send('/__emulator/archive', { type: 'contacts', id: '501' })
  const fault = { match: objects, from: 2, action: { status: 503, body: { category: 'DOWN' } } }
  await send('/__emulator/fault', { fault })
  const listed = await send(`${objects}/contacts?limit=100`)
  expect(listed.body.results.map(({ id }: { id: string }) => id)).toEqual(['502', '503', made.body.id])
  expect(await send(`${objects}/contacts`)).toMatchObject({ status: 503, body: { category: 'DOWN' } })
  expect((await send(`${objects}/contacts`)).status).toBe(200)
})
