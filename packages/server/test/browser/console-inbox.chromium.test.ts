import type { Page, Request } from 'playwright-core'
import { expect, test } from 'vitest'
import { call, password, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'
import { openConsole, signIn, write, writeAsCustomer } from './support/console-browser.ts'
import { useBrowser } from './support/use-browser.ts'

const running = useService()
const browser = useBrowser()

/** A tenant with that many conversations, each of a customer of its own. */
async function openTenant(count: number) {
  const { token, email } = await registerTenant(running.url)
  const post = async (path: string, body: object) => {
    const response = await call(running.url, { method: 'POST', path: `/api/v1/${path}`, token, body })
    expect(response.status).toBe(201)
    return response.body.data._id as string
  }
  const inboxId = (await call(running.url, { path: '/api/v1/inboxes', token })).body.data[0]._id as string
  for (let index = 0; index < count; index++) {
    const customerId = await post('customers', { firstName: `Customer ${index}` })
    await post('conversations', { subject: `Question ${index}`, inboxId, customerId })
  }
  return { token, email, post }
}

/** Names of customers in the visible part of the list. */
function shownNames(page: Page): Promise<number> {
  return page.evaluate(
    `[...document.querySelectorAll('.row-name')].filter((name) => name.textContent).length`,
  )
}

test('opening the inbox takes at most six requests, with fifty conversations of fifty customers, and three later for the saved views, the doors and the check-list', async () => {
  const { email } = await openTenant(50)
  const { page } = await openConsole(browser, `${running.url}/console/`)
  await signIn(page, email)
  await page.getByText('Customer 49').waitFor()
  const later = ['GET /api/v1/views', 'GET /api/v1/doors', 'GET /api/tenant/setup']
  const asked: string[] = []
  page.on('request', (request: Request) => {
    const { pathname } = new URL(request.url())
    // The first movement of the mouse, which belongs to no opening.
    if (pathname.endsWith('/me/activity')) return
    if (pathname.startsWith('/api/')) asked.push(`${request.method()} ${pathname}`)
  })
  await page.reload()
  await page.getByText('Customer 49').waitFor()
  await page.getByRole('link', { name: /^Open.*50 conversations/ }).waitFor()
  const rows = await page.locator('.row').count()
  expect(rows).toBeGreaterThan(10)
  await expect.poll(() => shownNames(page)).toBe(rows)
  await expect
    .poll(() => asked.filter((request) => !later.includes(request)).toSorted())
    .toEqual([
      'GET /api/v1/conversations',
      'GET /api/v1/customers',
      'GET /api/v1/events/stream',
      'GET /api/v1/inboxes',
      'GET /api/v1/users',
      'POST /api/auth/refresh',
    ])
  await page.locator('.virtual-list').evaluate((list) => {
    list.scrollTop = list.scrollHeight
  })
  await page.getByText('Customer 0', { exact: true }).waitFor()
  for (const request of later) {
    await expect.poll(() => asked.indexOf(request)).toBeGreaterThan(2)
    asked.splice(asked.indexOf(request), 1)
  }
  const forNames = asked.filter((request) => request.endsWith('/customers'))
  expect([asked.length - forNames.length, forNames.length <= 4]).toEqual([5, true])
})

/** The direction in which the browser shows an element. */
const directionOf = (page: Page, selector: string, text: string): Promise<string> =>
  page
    .locator(selector, { hasText: text })
    .evaluate((found): string => Reflect.get(globalThis, 'getComputedStyle')(found).direction)

test('names, subjects and messages stand in the direction of their own script', async () => {
  const [name, subject, content] = ['ليلى حداد', 'המנורה שבורה', 'المصباح لا يعمل.\nPlease help']
  const { token, email } = await registerTenant(running.url)
  const id = await writeAsCustomer(running.url, token, { subject, content, customer: name })
  await write(running.url, token, { id, content: 'We send you another one.' })
  const { page } = await openConsole(browser, `${running.url}/console/inbox/open/-/-/${id}`)
  await signIn(page, email)
  await page.locator('.message-body', { hasText: 'We send' }).waitFor()
  await page.locator('.row-name', { hasText: name }).waitFor()
  for (const [selector, text] of [
    ['.row-name', name],
    ['.row-subject', subject],
    ['.thread-title h1', subject],
    ['.thread-title p', name],
    ['.message-inbound strong', name],
    ['.message-body', content],
    ['.customer-head h2', name],
  ] as const)
    expect([selector, await directionOf(page, selector, text)]).toEqual([selector, 'rtl'])
  expect(await directionOf(page, '.message-body', 'We send')).toBe('ltr')
})

test('a name, a subject and a message without a space stay within a screen of 360 pixels', async () => {
  const { token, email } = await registerTenant(running.url)
  const texts = { subject: 'S'.repeat(180), content: 'm'.repeat(400), customer: 'N'.repeat(100) }
  const id = await writeAsCustomer(running.url, token, texts)
  const list = `${running.url}/console/`
  const { page } = await openConsole(browser, list, { viewport: { width: 360, height: 740 } })
  const width = () => page.evaluate('document.documentElement.scrollWidth')
  /** Elements that reach beyond the screen and are not cut by a box around them. */
  const beyond = () =>
    page.evaluate(`[...document.querySelectorAll('.row > *, .message, .message *, .thread-head *, .customer-pane *')]
      .filter((found) => found.checkVisibility() && found.getBoundingClientRect().right > 361)
      .map((found) => found.className || found.tagName)`)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.locator('.row-name', { hasText: 'NNNN' }).waitFor()
  expect([await width(), await beyond()]).toEqual([360, []])
  await page.goto(`${list}inbox/open/-/-/${id}`)
  await page.locator('.message-body').waitFor()
  expect([await width(), await beyond()]).toEqual([360, []])
  await page.locator('.customer-toggle').click()
  await page.locator('.customer-head').waitFor()
  expect([await width(), await beyond()]).toEqual([360, []])
})
