import { type Browser, chromium, type Page, type Request } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call, registerTenant } from '../support/call.ts'
import { type RunningService, startService } from '../support/start-service.ts'
import { openConsole, signIn } from './support/console-browser.ts'

let running: RunningService
let browser: Browser
beforeAll(async () => {
  running = await startService()
  const executablePath = process.env['CRM_TEST_CHROMIUM'] ?? ''
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
}, 60_000)
afterAll(async () => {
  await browser.close()
  await running.stop()
})

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

test('opening the inbox takes at most six requests, with fifty conversations of fifty customers', async () => {
  const { email } = await openTenant(50)
  const { page } = await openConsole(browser, `${running.url}/console/`)
  await signIn(page, email)
  await page.getByText('Customer 49').waitFor()
  const asked: string[] = []
  page.on('request', (request: Request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/')) asked.push(`${request.method()} ${pathname}`)
  })
  await page.reload()
  await page.getByText('Customer 49').waitFor()
  await page.getByRole('link', { name: /^Open.*50 conversations/ }).waitFor()
  const rows = await page.locator('.row').count()
  expect(rows).toBeGreaterThan(10)
  await expect.poll(() => shownNames(page)).toBe(rows)
  await expect
    .poll(() => asked.toSorted())
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
  const forNames = asked.filter((request) => request.endsWith('/customers'))
  expect([asked.length - forNames.length, forNames.length <= 4]).toEqual([5, true])
}, 60_000)
