import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call, registerTenant } from '../support/call.ts'
import { type RunningService, startService } from '../support/start-service.ts'
import { signIn, watchTab, writeAsCustomer } from './support/console-browser.ts'

// Browsers and addresses where a function is missing.

let running: RunningService
let browser: Browser
beforeAll(async () => {
  running = await startService()
  const executablePath = process.env['CRM_TEST_CHROMIUM'] ?? ''
  browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--host-resolver-rules=MAP crm.test 127.0.0.1'],
  })
})
afterAll(async () => {
  await browser.close()
  await running.stop()
})

const question = 'The lamp does not switch on.'

/** Signs in, sends a reply, and waits for one that comes live. */
async function work(address: string, script: string) {
  const tenant = await registerTenant(running.url)
  const id = await writeAsCustomer(running.url, tenant.token, { subject: 'A lamp', content: question })
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  await context.addInitScript(script)
  const { page, complaints } = await watchTab(
    await context.newPage(),
    `${address}/console/inbox/open/-/-/${id}`,
  )
  await signIn(page, tenant.email)
  const log = page.getByRole('log')
  await log.getByText(question).waitFor()
  await page.getByRole('textbox', { name: 'New message' }).fill('On its way')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('button', { name: 'Send now' }).click()
  await log.getByText('On its way').waitFor()
  const body = { content: 'Thank you', direction: 'inbound' }
  const path = `/api/v1/conversations/${id}/messages`
  await call(running.url, { method: 'POST', path, token: tenant.token, body })
  await log.getByText('Thank you').waitFor()
  await context.close()
  return complaints
}

test.each([
  ['Web Locks', `delete Navigator.prototype.locks`],
  ['BroadcastChannel', `delete window.BroadcastChannel`],
  ['Promise.withResolvers', `delete Promise.withResolvers`],
  ['URL.canParse', `delete URL.canParse`],
  [
    'storage',
    `Object.defineProperty(window, 'localStorage', { configurable: true, get() { throw new DOMException('Denied', 'SecurityError') } })`,
  ],
])('the console works without %s', async (_, script) => {
  expect(await work(running.url, script)).toEqual([])
})

test('the console works by http under a name, where browsers hide a part of their functions', async () => {
  const { port } = new URL(running.url)
  await work(`http://crm.test:${port}`, '')
})

test('a browser that is too old shows a sentence that says so', async () => {
  const page = await browser.newPage()
  await page.addInitScript(`delete Array.prototype.toSpliced`)
  await page.goto(`${running.url}/console/`)
  await page.getByRole('alert').getByText('This browser is too old for the console.').waitFor()
})
