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

test('by the mouse alone a conversation is begun, and each of its properties is shown and changed below its subject', async () => {
  const { token, email } = await registerTenant(running.url)
  const texts = { subject: 'A broken lamp', content: 'It does not switch on.' }
  const id = await writeAsCustomer(running.url, token, texts)
  const second = { name: 'Repairs', channel: 'email' }
  await call(running.url, { method: 'POST', path: '/api/v1/inboxes', token, body: second })
  const { page } = await openConsole(browser, `${running.url}/console/inbox/open/-/-/${id}`)
  await signIn(page, email)
  const head = page.locator('.thread-head')
  const dialog = page.getByRole('dialog')
  const change = async (from: string, to: string, shown: string) => {
    await head.getByRole('button', { name: from }).click()
    await dialog.getByRole('option', { name: to }).click()
    await head.getByRole('button', { name: shown }).waitFor()
  }
  await head.getByText('Open', { exact: true }).waitFor()
  await change('Nobody is assigned', 'Olive Owner (you)', 'Assigned to Olive Owner')
  await change('Priority: Medium', 'Urgent', 'Priority: Urgent')
  await change('Inbox', 'Repairs', 'Repairs')
  await head.getByRole('button', { name: 'Snooze', exact: true }).click()
  await dialog.getByRole('option', { name: 'Tomorrow at 9:00' }).click()
  await head.getByRole('button', { name: /^Snoozed until / }).waitFor()
  await head.getByRole('button', { name: 'All commands' }).click()
  await dialog.getByRole('option', { name: 'Mark as pending' }).click()
  await head.getByText('Pending', { exact: true }).waitFor()
  const begin = page.getByRole('button', { name: 'New conversation' })
  expect(await begin.getAttribute('title')).toBe('New conversation (c)')
  await begin.click()
  await page.getByRole('dialog', { name: 'New conversation' }).waitFor()
})

test('an impatient second press opens nothing again, and after closing a person gets the next conversation or the list', async () => {
  const { token, email } = await registerTenant(running.url)
  const ids: string[] = []
  for (const subject of ['A third lamp', 'A second lamp', 'A first lamp'])
    ids.unshift(await writeAsCustomer(running.url, token, { subject, content: 'It does not switch on.' }))
  const { page } = await openConsole(browser, `${running.url}/console/settings/profile`)
  await signIn(page, email)
  const statusOf = async (id = '') =>
    (await call(running.url, { path: `/api/v1/conversations/${id}`, token })).body.data.status
  const choose = async (choice: string) => {
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByLabel('After closing a conversation').selectOption(choice)
    await page.getByRole('link', { name: /^Open/ }).click()
  }
  const heading = (name: string) => page.getByRole('heading', { name, level: 1 })
  await choose('next')
  await page.getByRole('link', { name: /A first lamp/ }).click()
  await heading('A first lamp').waitFor()
  await page.keyboard.press('e')
  await heading('A second lamp').waitFor()
  await expect.poll(() => statusOf(ids[0])).toBe('closed')
  await choose('stay')
  await page.getByRole('link', { name: /A second lamp/ }).click()
  await heading('A second lamp').waitFor()
  await page.getByRole('log').waitFor()
  // Both keys in one task of the page: a busy machine does not part them.
  await page.evaluate(
    `for (const one of [1, 2]) document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'e', code: 'KeyE', bubbles: true }))`,
  )
  await page.getByRole('button', { name: 'Reopen', exact: true }).waitFor()
  await expect.poll(() => statusOf(ids[1])).toBe('closed')
  await choose('list')
  await page.getByRole('link', { name: /A third lamp/ }).click()
  await page.locator('.thread-head').getByRole('button', { name: 'Close', exact: true }).click()
  await page.getByText('Choose a conversation').waitFor()
  await expect.poll(() => statusOf(ids[2])).toBe('closed')
  expect(await statusOf(ids[1])).toBe('closed')
})

test('z takes a reply back that waits, and then the newest change', async () => {
  const { page, id, get } = await openThread()
  const head = page.locator('.thread-head')
  await page.keyboard.press('y')
  await page.getByRole('dialog').getByRole('option', { name: 'Urgent' }).click()
  await head.getByRole('button', { name: 'Priority: Urgent' }).waitFor()
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).waitFor()
  const field = page.getByRole('textbox', { name: 'New message' })
  await field.fill('Too early')
  await field.press('Control+Enter')
  await page.getByRole('region', { name: 'Waiting to be sent' }).waitFor()
  await field.press('Escape')
  await page.locator('body').press('z')
  await expect.poll(() => field.inputValue()).toBe('Too early')
  await field.press('Escape')
  await page.locator('body').press('z')
  await head.getByRole('button', { name: 'Priority: Medium' }).waitFor()
  await expect.poll(async () => (await get(`/api/v1/conversations/${id}`)).priority).toBe('medium')
})

test('a long text is folded, and shown whole by a press', async () => {
  const { page, id, token } = await openThread()
  const lines = Array.from({ length: 100 }, (_, at) => `line ${at + 1}`)
  await write(running.url, token, { id, content: lines.join('\n'), direction: 'inbound' })
  const body = page.locator('.message-body').filter({ hasText: 'line 100' })
  const height = async () => (await body.boundingBox())?.height ?? 0
  const show = body.getByRole('button', { name: 'Show all' })
  await show.waitFor()
  const folded = await height()
  await show.click()
  await show.waitFor({ state: 'detached' })
  expect(await height()).toBeGreaterThan(2 * folded)
})
