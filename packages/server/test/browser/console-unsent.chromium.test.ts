import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call, registerTenant } from '../support/call.ts'
import { type RunningService, startService } from '../support/start-service.ts'
import { openConsole, signIn, writeAsCustomer } from './support/console-browser.ts'

// Texts that have left the field have a home until the service has them.

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

const question = 'The lamp does not switch on.'
const fieldOf = (page: Page) => page.getByRole('textbox', { name: 'New message' })

async function openConversation() {
  const tenant = await registerTenant(running.url)
  const id = await writeAsCustomer(running.url, tenant.token, { subject: 'A lamp', content: question })
  const { page } = await openConsole(browser, `${running.url}/console/inbox/open/-/-/${id}`)
  await signIn(page, tenant.email)
  await page.getByRole('log').getByText(question).waitFor()
  const contents = async () => {
    const path = `/api/v1/conversations/${id}/messages`
    const { body } = await call(running.url, { path, token: tenant.token })
    return body.data.map(({ content }: { content: string }) => content)
  }
  return { page, contents }
}

/** Sends a text without a connection, and waits until the page says that it is not sent. */
async function sendWithoutConnection(page: Page, text: string) {
  await page.context().setOffline(true)
  await fieldOf(page).fill(text)
  await page.keyboard.press('Control+Enter')
  await page.getByRole('log').getByText('Not sent.').waitFor({ timeout: 60_000 })
}

test('a reply that was not sent without a connection survives a reload and is sent by itself, once', async () => {
  const { page, contents } = await openConversation()
  await sendWithoutConnection(page, 'A long careful reply')
  await page.getByRole('navigation', { name: 'Views' }).getByText('Not sent').waitFor()
  await page.getByRole('list').getByText('Not sent').first().waitFor()
  await page.route('**/api/v1/conversations/*/messages', (route) =>
    route.request().method() === 'POST' ? route.abort('connectionreset') : route.fallback(),
  )
  await page.context().setOffline(false)
  await page.reload()
  await page.getByRole('log').getByText('A long careful reply').waitFor()
  await page.unroute('**/api/v1/conversations/*/messages')
  await page.reload()
  await expect.poll(contents, { timeout: 30_000 }).toEqual([question, 'A long careful reply'])
  await page.getByText('Not sent').first().waitFor({ state: 'hidden' })
  await page.reload()
  await page.getByRole('log').getByText('A long careful reply').waitFor()
  expect(await contents()).toEqual([question, 'A long careful reply'])
}, 120_000)

test('a reply is sent by itself when the connection is back, without a reload', async () => {
  const { page, contents } = await openConversation()
  await sendWithoutConnection(page, 'Sent later by itself')
  await page.context().setOffline(false)
  await expect.poll(contents, { timeout: 60_000 }).toEqual([question, 'Sent later by itself'])
}, 150_000)

test('a new conversation keeps its text over Escape, a press beside it and a reload', async () => {
  const { page } = await openConversation()
  const dialog = page.getByRole('dialog', { name: 'New conversation' })
  await page.keyboard.press('c')
  await dialog.getByRole('combobox').fill('grace')
  await dialog.getByRole('option', { name: /Grace/ }).first().click()
  const message = dialog.getByRole('textbox', { name: 'Message' })
  await message.fill('Ten minutes of work')
  const ways = {
    Escape: () => page.keyboard.press('Escape'),
    beside: () => page.mouse.click(15, 450),
    reload: () => page.reload(),
  }
  for (const [way, leave] of Object.entries(ways)) {
    await leave()
    await dialog.waitFor({ state: 'hidden' })
    await page.getByRole('log').getByText(question).waitFor()
    await page.keyboard.press('c')
    await expect.poll(() => message.inputValue(), { message: way }).toBe('Ten minutes of work')
  }
}, 60_000)
