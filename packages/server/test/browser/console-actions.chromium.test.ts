import type { Page, Request, Response } from 'playwright-core'
import { expect, test } from 'vitest'
import { en } from '../../../console/src/strings/en.ts'
import { addColleague } from '../support/add-colleague.ts'
import { call, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'
import { openConsole, signIn, violationsOf, write, writeAsCustomer } from './support/console-browser.ts'
import { useBrowser } from './support/use-browser.ts'

const running = useService()
const browser = useBrowser()

async function openThread(prepare: (page: Page) => Promise<void> = async () => undefined) {
  const tenant = await registerTenant(running.url)
  const id = await writeAsCustomer(running.url, tenant.token, {
    subject: 'A broken lamp',
    content: 'The lamp does not switch on.',
  })
  const { page, complaints } = await openConsole(browser, `${running.url}/console/`)
  await prepare(page)
  await page.goto(`${running.url}/console/inbox/open/-/-/${id}`)
  await signIn(page, tenant.email)
  await page.getByRole('log').getByText('The lamp does not switch on.').waitFor()
  const get = async (path: string) => (await call(running.url, { path, token: tenant.token })).body.data
  return { ...tenant, id, page, complaints, get }
}

test('keys alone start a conversation with a new customer, in the chosen inbox, with its first message', async () => {
  const { page, get, complaints } = await openThread()
  await page.keyboard.press('c')
  await page.getByRole('dialog', { name: 'New conversation' }).waitFor()
  await page.keyboard.type('linus@example.com')
  await page.getByRole('option', { name: 'New customer: linus@example.com' }).waitFor()
  await page.keyboard.press('Enter')
  expect(await violationsOf(page)).toEqual([])
  await page.getByLabel('Subject').waitFor()
  await page.keyboard.type('Your order')
  await page.getByLabel('First message').fill('It has arrived.')
  await page.getByLabel('First message').press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('log').getByText('It has arrived.').waitFor()
  await page.getByRole('link', { name: /linus@example\.com/ }).waitFor()
  const [customer] = await get('/api/v1/customers?email=linus@example.com')
  const [conversation] = await get(`/api/v1/conversations?customerId=${customer._id}`)
  expect(conversation).toMatchObject({ subject: 'Your order', messageCount: 1 })
  expect(complaints).toEqual([])
})

test('a conversation moves to another inbox and to another customer, each by a key', async () => {
  const { page, get, id, token } = await openThread()
  const post = (path: string, body: object) => call(running.url, { method: 'POST', path, token, body })
  const inbox = (await post('/api/v1/inboxes', { name: 'Returns' })).body.data
  const customer = (await post('/api/v1/customers', { firstName: 'Linus', lastName: 'Torvalds' })).body.data
  await page.reload()
  await page.getByRole('link', { name: 'Returns' }).waitFor()
  await page.getByRole('log').waitFor()
  await page.keyboard.press('m')
  await page.keyboard.type('Returns')
  await page.keyboard.press('Enter')
  await page.getByText('Moved to Returns').waitFor()
  await page.keyboard.press('p')
  await page.keyboard.type('torv')
  await page.getByRole('option', { name: 'Linus Torvalds' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('The customer was changed').waitFor()
  const conversation = await get(`/api/v1/conversations/${id}`)
  expect(conversation.inboxId).toBe(inbox._id)
  expect(conversation.customerId._id).toBe(customer._id)
})

test('a person sets their own availability', async () => {
  const { page, get } = await openThread()
  await page.keyboard.press('v')
  await page.keyboard.type('away')
  await page.keyboard.press('Enter')
  await page.getByText('You are away').waitFor()
  expect((await get('/api/v1/users/me')).availability).toBe('away')
  const profile = page.getByRole('button', { name: /· Away$/ })
  await profile.click()
  await page.keyboard.type('offline until')
  await page.keyboard.press('Enter')
  await page.getByText('You are offline').waitFor()
  const midnight = await page.evaluate(() => new Date(new Date().setHours(24, 0, 0, 0)).toISOString())
  expect(await get('/api/v1/users/me')).toMatchObject({
    availability: 'offline',
    availabilityUntil: midnight,
  })
  await page.keyboard.press('v')
  await page.keyboard.type('automatic')
  await page.keyboard.press('Enter')
  // With an open console.
  await page.getByRole('button', { name: /· Online$/ }).waitFor()
  expect((await get('/api/v1/users/me')).availabilityMode).toBe('auto')
})

test('the service hears once that a person begins to work, and once that they have stopped', async () => {
  const { page } = await openThread()
  await page.getByRole('button', { name: /· Online$/ }).waitFor()
  const told: string[] = []
  page.on('request', (request: Request) => {
    if (request.url().endsWith('/users/me/activity')) told.push(request.postDataJSON().state)
  })
  await page.clock.install()
  const press = async () => {
    await page.clock.fastForward(10_000)
    await page.keyboard.press('Shift')
  }
  await press()
  await expect.poll(() => told.at(-1)).toBe('active')
  const answer = () =>
    page.waitForResponse((response: Response) => response.url().endsWith('/users/me/activity'))
  await press()
  await press()
  const idle = answer()
  await page.clock.fastForward(61_000)
  await idle
  const active = answer()
  await press()
  await active
  expect(told.slice(-3)).toEqual(['active', 'idle', 'active'])
})

test('the letters that a fast person types after a key belong to its dialog, not to the shortcuts', async () => {
  const { page } = await openThread()
  // The next key is a task of its own: the dialog has to hold the focus by then.
  const shown = await page.evaluate(`(async () => {
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'v', code: 'KeyV', bubbles: true }))
    await new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = resolve
      port2.postMessage('next')
    })
    const dialog = document.querySelector('dialog[open]')
    return { title: dialog?.querySelector('h2')?.textContent, field: dialog?.contains(document.activeElement) }
  })()`)
  expect(shown).toEqual({ title: 'Set your availability', field: true })
})

test('the second key of a sequence does nothing of its own', async () => {
  const { page } = await openThread()
  await page.keyboard.press('g')
  await page.keyboard.press('s')
  await page.getByRole('heading', { name: /^Snoozed/ }).waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('o')
  await page.getByRole('link', { name: /A broken lamp/ }).click()
  await page.getByRole('log').getByText('The lamp does not switch on.').waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
})

/** A browser without a screen never hides a tab and never shows a notice, so the page reports both here. */
async function openHideable() {
  const opened = await openThread(async (target) => {
    await target.context().grantPermissions(['notifications'])
    await target.addInitScript(`
      window.notices = []
      window.isHidden = false
      Object.defineProperty(document, 'visibilityState', { get: () => (window.isHidden ? 'hidden' : 'visible') })
      const Shown = window.Notification
      window.Notification = class extends Shown {
        constructor(title, options) { super(title, options); window.notices.push([title, options.body]) }
      }
    `)
  })
  const show = (isHidden: boolean) =>
    opened.page.evaluate(
      `window.isHidden = ${isHidden}; document.dispatchEvent(new Event('visibilitychange'))`,
    )
  return { ...opened, show }
}

test('a message that comes while the tab is hidden counts in the title and gives a notice, as far as each is on', async () => {
  const { page, token, id, show } = await openHideable()
  const receive = (content: string) => write(running.url, token, { id, content, direction: 'inbound' })
  await page.keyboard.press('o')
  const dialog = page.getByRole('dialog', { name: 'Notices' })
  await dialog.getByLabel('A notice of the desktop').check()
  await dialog.getByLabel('A sound').check()
  expect(await violationsOf(page)).toEqual([])
  await page.keyboard.press('Escape')
  await receive('This tab is visible.')
  await page.getByRole('log').getByText('This tab is visible.').waitFor()
  expect(await page.title()).toBe('A broken lamp · crmkit')
  await show(true)
  await receive('Is somebody there?')
  await expect.poll(() => page.title()).toBe('(1) A broken lamp · crmkit')
  await expect.poll(() => page.evaluate('window.notices')).toEqual([['Grace', 'Is somebody there?']])
  expect(await page.locator('link[rel=icon]').getAttribute('href')).toContain('svg')
  await show(false)
  expect(await page.title()).toBe('A broken lamp · crmkit')
  await page.keyboard.press('o')
  for (const name of ['A notice of the desktop', 'A number in the title and a dot on the icon'])
    await dialog.getByLabel(name).uncheck()
  await page.keyboard.press('Escape')
  await show(true)
  await receive('Nobody hears this.')
  await page.getByRole('log').getByText('Nobody hears this.').waitFor()
  expect(await page.title()).toBe('A broken lamp · crmkit')
  expect(await page.evaluate('window.notices.length')).toBe(1)
})

test('a note that mentions a person gives them a notice with its words, and one that mentions a colleague does not', async () => {
  const { page, token, tenant, id, show } = await openHideable()
  const { userId, token: theirs } = await addColleague(running, { tenantId: tenant._id, role: 'agent' })
  const { data: me } = (await call(running.url, { path: '/api/v1/users/me', token })).body
  const names = { firstName: 'Ben', lastName: 'Fry' }
  const known = page.waitForResponse(/\/api\/v1\/users(\?|$)/)
  await call(running.url, { method: 'PUT', path: `/api/v1/users/${userId}`, token, body: names })
  await known
  const path = `/api/v1/conversations/${id}/messages`
  const note = (content: string, by: string) =>
    call(running.url, { method: 'POST', path, token: by, body: { type: 'note', content } })
  await page.keyboard.press('o')
  await page.getByRole('dialog', { name: 'Notices' }).getByLabel('A notice of the desktop').check()
  await page.keyboard.press('Escape')
  await show(true)
  expect((await note(`@[${userId}] look`, token)).status).toBe(201)
  expect((await note(`@[${me._id}] please look`, theirs)).status).toBe(201)
  await expect.poll(() => page.title()).toBe('(1) A broken lamp · crmkit')
  await expect
    .poll(() => page.evaluate('window.notices'))
    .toEqual([[en.status.mentioned('Ben Fry'), '@Olive Owner please look']])
})

test('a message in a conversation of a colleague gives a notice only to who has chosen that', async () => {
  const { page, token, tenant, id, show } = await openHideable()
  const { userId } = await addColleague(running, { tenantId: tenant._id, role: 'agent' })
  const path = `/api/v1/conversations/${id}`
  const body = { assignedTo: userId }
  expect((await call(running.url, { method: 'PUT', path, token, body })).status).toBe(200)
  const receive = async (content: string) => {
    await write(running.url, token, { id, content, direction: 'inbound' })
    await page.getByRole('log').getByText(content).waitFor()
  }
  await show(true)
  await receive('For the colleague.')
  expect(await page.title()).toBe('A broken lamp · crmkit')
  await page.keyboard.press('o')
  await page.getByRole('dialog', { name: 'Notices' }).getByLabel('conversations of colleagues').check()
  await page.keyboard.press('Escape')
  await receive('For all who want it.')
  await expect.poll(() => page.title()).toBe('(1) A broken lamp · crmkit')
})
