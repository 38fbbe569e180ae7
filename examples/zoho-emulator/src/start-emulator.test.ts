import { expect, onTestFinished, test } from 'vitest'
import { type EmulatorOptions, startEmulator } from './start-emulator.ts'

/** An emulator with a token, closed when the test ends. */
async function open(options: EmulatorOptions) {
  const emulator = await startEmulator(options)
  onTestFinished(() => emulator.close())
  const form = new URLSearchParams({
    grant_type: 'refresh_token',
    client_id: emulator.clientId,
    client_secret: emulator.clientSecret,
    refresh_token: emulator.oauth.newRefreshToken(),
  })
  const granted = await fetch(`${emulator.url}/oauth/v2/token`, { method: 'POST', body: form })
  const { access_token } = (await granted.json()) as { access_token: string }
  const get = async (path: string, signal: AbortSignal | null = null) => {
    const headers = { Authorization: `Zoho-oauthtoken ${access_token}` }
    const response = await fetch(`${emulator.url}/crm/v8/${path}`, { headers, signal })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) }
  }
  return { emulator, get }
}

const remaining = 'X-API-CREDITS-REMAINING'

test('the Zoho emulator refuses requests beyond the credits of a day, and names what is left after half of them', async () => {
  const { emulator, get } = await open({ credits: 6, counts: { Contacts: 1 } })
  expect((await get('org')).headers.get(remaining)).toBeNull()
  // A list of deleted records costs two credits.
  expect((await get('Contacts/deleted?type=all')).headers.get(remaining)).toBeNull()
  expect((await get('org')).headers.get(remaining)).toBe('2')
  expect((await get('Contacts/deleted?type=all')).headers.get(remaining)).toBe('0')
  const refused = await get('org')
  expect(refused).toMatchObject({ status: 429, body: { code: 'TOO_MANY_REQUESTS', status: 'error' } })
  expect(refused.body.message).toMatch(/credits of the last 24 hours/)
  emulator.api.limits.restoreCredits()
  expect((await get('org')).status).toBe(200)
})

test.each([
  ['requests', { concurrency: 2 }, 'org', /the concurrency/],
  ['sorted lists', { subConcurrency: 2 }, 'Contacts?fields=Email&sort_by=Modified_Time', /sub-concurrency/],
])(
  'the Zoho emulator refuses %s beyond their concurrency, until one of them ends',
  async (_, limits, path, words) => {
    const { emulator, get } = await open({ ...limits, counts: { Contacts: 1 } })
    emulator.faults.add({ match: '/crm/v8/', from: 1, to: 2, action: 'silent' })
    const controller = new AbortController()
    const held = [1, 2].map(() => get(path, controller.signal).catch(() => 'ended'))
    await expect.poll(() => emulator.log.filter((entry) => entry.path.startsWith('/crm/')).length).toBe(2)
    const refused = await get(path)
    expect(refused).toMatchObject({ status: 429, body: { code: 'TOO_MANY_REQUESTS' } })
    expect(refused.body.message).toMatch(words)
    controller.abort()
    expect(await Promise.all(held)).toEqual(['ended', 'ended'])
    await expect.poll(async () => (await get(path)).status).toBe(200)
  },
)

test('the Zoho emulator refuses a page token that it did not make, and one for other parameters', async () => {
  const { get } = await open({ counts: { Contacts: 300 } })
  const first = await get('Contacts?fields=Email')
  const token = first.body.info.next_page_token
  expect((await get(`Contacts?fields=Email&page_token=${token}`)).body.data).toHaveLength(100)
  expect((await get(`Contacts?fields=Phone&page_token=${token}`)).body.code).toBe('TOKEN_BOUND_DATA_MISMATCH')
  expect((await get('Contacts?fields=Email&page_token=invalid')).body.code).toBe('INVALID_DATA')
})

test('the Zoho emulator cuts rich texts in a list to 500 characters, and sends them whole on request', async () => {
  const { get } = await open({ counts: { Contacts: 1 }, richTextLength: 2_000 })
  const [listed] = (await get('Contacts?fields=Rich_Text')).body.data
  expect(listed.Rich_Text).toHaveLength(500)
  const path = `Contacts/actions/fetch_full_data?ids=${listed.id}&fields=Rich_Text`
  expect((await get(path)).body.data[0].Rich_Text).toHaveLength(2_000)
})
