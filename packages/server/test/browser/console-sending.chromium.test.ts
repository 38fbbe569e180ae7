import type { Page, Route } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { addColleague } from '../support/add-colleague.ts'
import { call, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'
import { signIn, watchTab, write, writeAsCustomer } from './support/console-browser.ts'
import { useBrowser } from './support/use-browser.ts'

// A reply on its way while responses are lost, colleagues are faster and the service refuses.

const running = useService()
const browser = useBrowser()

const question = 'The lamp does not switch on.'
/** Longer than the tab lets a reply wait for an undo. */
const undoMs = 9_000
const fieldOf = (page: Page) => page.getByRole('textbox', { name: 'New message' })
const waiting = (page: Page) => page.getByRole('region', { name: 'Waiting to be sent' })

/** A conversation in a page whose clock the test moves. */
async function openConversation() {
  const tenant = await registerTenant(running.url)
  const colleague = await addColleague(running, { tenantId: tenant.tenant._id, role: 'agent' })
  const id = await writeAsCustomer(running.url, tenant.token, { subject: 'A broken lamp', content: question })
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  await page.clock.install()
  await watchTab(page, `${running.url}/console/inbox/open/-/-/${id}`)
  await signIn(page, tenant.email)
  await page.getByRole('log').getByText(question).waitFor()
  const ask = async (method: string, path: string, body?: object, token = tenant.token) => {
    const target = `/api/v1/conversations/${id}${path}`
    return (await call(running.url, { method, path: target, token, body })).body.data
  }
  const contents = async () =>
    (await ask('GET', '/messages')).map(({ content }: { content: string }) => content)
  return { page, id, ask, colleague, contents }
}

/** Lets the service handle such requests, and cuts the connection before the response. Returns how many it were. */
async function loseResponses(page: Page, pattern: string, isLost: (route: Route) => boolean) {
  let lost = 0
  await page.route(pattern, async (route) => {
    if (!isLost(route)) return route.fallback()
    await route.fetch()
    lost += 1
    await route.abort('connectionreset')
  })
  return () => lost
}

const shown = (page: Page): Promise<string[]> =>
  page.evaluate(
    `[...document.querySelectorAll('[role=log] .message-body')].map((one) => one.textContent.trim())`,
  )

/** The reply is stored once, and the screen shows it once, as sent. */
async function expectSentOnce(page: Page, contents: () => Promise<string[]>): Promise<void> {
  await page.locator('.message[data-message]').getByText('It is on its way').waitFor()
  await waiting(page).waitFor({ state: 'detached' })
  expect(await contents()).toEqual([question, 'It is on its way'])
  expect(await shown(page)).toEqual([question, 'It is on its way'])
  expect(await page.getByText('Not sent.').count()).toBe(0)
  expect(await fieldOf(page).inputValue()).toBe('')
}

describe('a reply that waits for an undo', () => {
  test.each([
    ['every response', Number.POSITIVE_INFINITY],
    ['the first response', 1],
  ])('is sent once when %s to the request that plans it is lost', async (_name, count) => {
    const { page, contents } = await openConversation()
    const lost = await loseResponses(page, '**/draft', (route) => {
      const isPlan = route.request().method() === 'PUT' && /"sendAt":"/.test(route.request().postData() ?? '')
      return isPlan && lost() < count
    })
    await fieldOf(page).fill('It is on its way')
    await page.keyboard.press('Control+Enter')
    await expect.poll(lost).toBeGreaterThan(0)
    await page.clock.fastForward(undoMs)
    await expectSentOnce(page, contents)
  })

  test('is sent once when the response to the request that sends it is lost', async () => {
    const { page, contents } = await openConversation()
    const lost = await loseResponses(page, '**/drafts/*/send', () => true)
    await fieldOf(page).fill('It is on its way')
    await page.keyboard.press('Control+Enter')
    await waiting(page).waitFor()
    await page.clock.fastForward(undoMs)
    await expect.poll(lost).toBeGreaterThan(0)
    await expectSentOnce(page, contents)
  })

  test('is sent by the service, once, while the tab has no connection, and the tab shows it when it has one', async () => {
    const { page, contents } = await openConversation()
    await fieldOf(page).fill('It is on its way')
    await page.keyboard.press('Control+Enter')
    await waiting(page).waitFor()
    await page.context().setOffline(true)
    await page.clock.fastForward(undoMs)
    await page.getByText('Not sent.').waitFor()
    await expect.poll(contents).toEqual([question, 'It is on its way'])
    await page.context().setOffline(false)
    await expectSentOnce(page, contents)
  })

  test.each([
    ['learns', 'continue'],
    ['does not learn', 'abort'],
  ] as const)(
    'is not sent when its writer takes it back in another window, of which this one %s',
    async (_name, way) => {
      const { page, ask, contents } = await openConversation()
      await fieldOf(page).fill('Too early')
      await page.keyboard.press('Control+Enter')
      await waiting(page).waitFor()
      // After the live event the page reads the drafts.
      const read = page.waitForRequest('**/drafts?**')
      await page.route('**/drafts?**', (route) => route[way]())
      await ask('PUT', '/draft', { content: 'Changed elsewhere' })
      await read
      await page.unroute('**/drafts?**')
      const refused = page.waitForResponse('**/drafts/*/send')
      await page.clock.fastForward(undoMs)
      expect((await refused).status()).toBe(409)
      await waiting(page).waitFor({ state: 'detached' })
      await expect.poll(() => fieldOf(page).inputValue()).toBe('Changed elsewhere')
      expect(await page.locator('.message-pending, .message-refused').count()).toBe(0)
      expect(await contents()).toEqual([question])
    },
  )

  test('is not sent when its writer discards it in another window', async () => {
    const { page, ask, contents } = await openConversation()
    await fieldOf(page).fill('Too early')
    await page.keyboard.press('Control+Enter')
    await waiting(page).waitFor()
    await ask('DELETE', '/draft')
    const refused = page.waitForResponse('**/drafts/*/send')
    await page.clock.fastForward(undoMs)
    expect((await refused).status()).toBe(404)
    await waiting(page).waitFor({ state: 'detached' })
    expect(await page.locator('.message-pending, .message-refused').count()).toBe(0)
    expect(await contents()).toEqual([question])
  })

  test('stays in the thread with the reason when a colleague has replied meanwhile', async () => {
    const { page, id, colleague, contents } = await openConversation()
    await fieldOf(page).fill('It is on its way')
    await page.keyboard.press('Control+Enter')
    await waiting(page).waitFor()
    await write(running.url, colleague.token, { id, content: 'I take care of it.' })
    await page.getByRole('log').getByText('I take care of it.').waitFor()
    await page.clock.fastForward(undoMs)
    await page.getByText(/look first, or send anyway/).waitFor()
    expect(await contents()).toEqual([question, 'I take care of it.'])
    await page.getByRole('button', { name: 'Send anyway' }).click()
    await page.locator('.message[data-message]').getByText('It is on its way').waitFor()
    expect(await contents()).toEqual([question, 'I take care of it.', 'It is on its way'])
  })
})

const refusal = {
  status: 409,
  headers: { 'x-request-id': 'req-of-the-refusal' },
  json: { success: false, error: 'Not in this state', code: 'INVALID_STATE' },
}

describe('send and close', () => {
  test('says why the conversation stays open when only its closing is refused, and the reply stays sent', async () => {
    const { page, ask, contents } = await openConversation()
    await page.route('**/api/v1/conversations/con_*', (route) =>
      route.request().method() === 'PUT' ? route.fulfill(refusal) : route.fallback(),
    )
    await fieldOf(page).fill('It is on its way')
    await page.keyboard.press('Control+Shift+Enter')
    await waiting(page).getByRole('button', { name: 'Send now' }).click()
    await page.getByText('That is not possible as it is now').waitFor()
    await page.getByText('Details').click()
    await page.getByText('Not in this state Request req-of-the-refusal').waitFor()
    await expectSentOnce(page, contents)
    expect((await ask('GET', '')).status).toBe('open')
    await page.getByRole('link', { name: /A broken lamp/ }).waitFor()
    await page.unroute('**/api/v1/conversations/con_*')
    await page.keyboard.press('Escape')
    await page.keyboard.press('e')
    await expect.poll(async () => (await ask('GET', '')).status).toBe('closed')
  })

  test('leaves the conversation open when the reply is refused, with its text and the reason', async () => {
    const { page, ask, contents } = await openConversation()
    await page.route(/\/(messages|drafts\/\w+\/send)$/, (route) =>
      route.request().method() === 'POST' ? route.fulfill(refusal) : route.fallback(),
    )
    await fieldOf(page).fill('It is on its way')
    await page.keyboard.press('Control+Shift+Enter')
    await waiting(page).getByRole('button', { name: 'Send now' }).click()
    const refused = page.getByRole('log').getByRole('alert')
    await refused.getByText('That is not possible as it is now').waitFor()
    await refused.getByText('Details').click()
    await refused.getByText('Not in this state Request req-of-the-refusal').waitFor()
    expect((await ask('GET', '')).status).toBe('open')
    expect(await contents()).toEqual([question])
    await refused.getByRole('button', { name: 'Edit' }).click()
    expect(await fieldOf(page).inputValue()).toBe('It is on its way')
  })
})

test('a colleague sees “is replying” while a reply is typed, not 30 seconds after the last key, and never for a note', async () => {
  const { page, ask, colleague } = await openConversation()
  const states = async () => {
    const present = await ask('PUT', '/presence', { state: 'viewing' }, colleague.token)
    return present.map(({ state }: { state: string }) => state)
  }
  const reported = ['viewing']
  page.on('request', (request) => {
    // A new stream repeats the last state: the clock jumps over the time in which the stream must be heard.
    const state = request.url().endsWith('/presence') ? request.postDataJSON().state : reported.at(-1)
    if (state !== reported.at(-1)) reported.push(state)
  })
  await expect.poll(states).toEqual(['viewing'])
  await fieldOf(page).pressSequentially('It is')
  await expect.poll(states).toEqual(['replying'])
  await page.clock.fastForward(29_000)
  await fieldOf(page).press('!')
  await page.clock.fastForward(29_000)
  expect(reported).toEqual(['viewing', 'replying'])
  await page.clock.fastForward(2_000)
  await expect.poll(states).toEqual(['viewing'])
  await fieldOf(page).press('!')
  await expect.poll(states).toEqual(['replying'])
  await page.getByRole('button', { name: 'Note', exact: true }).click()
  await expect.poll(states).toEqual(['viewing'])
  await fieldOf(page).pressSequentially('She called')
  await page.getByRole('button', { name: 'Reply', exact: true }).click()
  await expect.poll(states).toEqual(['replying'])
  // The service may know a state before the browser's driver reports the request.
  await expect
    .poll(() => reported)
    .toEqual(['viewing', 'replying', 'viewing', 'replying', 'viewing', 'replying'])
})
