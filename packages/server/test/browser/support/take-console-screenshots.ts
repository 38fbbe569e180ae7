// Takes the screenshots of docs/console.md: `node --conditions=@crmkit/source` with this file and CRM_TEST_CHROMIUM. The
// tenant is that of `npm run demo`, so its names and texts are the same each time; only the times are those of the run.
import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { Crm } from '@crmkit/sdk'
import { type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { startService } from '../../support/start-service.ts'
import { compressPng } from './compress-png.ts'

const folder = 'docs/console'
const password = 'a password for the demo'
const wide = { viewport: { width: 1440, height: 900 } }
const narrow = { viewport: { width: 360, height: 740 } }

mkdirSync(folder, { recursive: true })
const service = await startService()
const node = ['--conditions=@crmkit/source', 'scripts/demo.ts', '--base-url', service.url]
await promisify(execFile)(process.execPath, [...node, '--customers', '60', '--conversations', '70'])
const anonymous = new Crm({ baseUrl: service.url })
const { accessToken } = await anonymous.auth.login({ email: 'demo@example.com', password })
const crm = new Crm({ baseUrl: service.url, accessToken })
const colleague = (await crm.users.list()).data.find(({ role }) => role === 'agent')
const other = await anonymous.auth.login({ email: colleague?.email ?? '', password })
const asColleague = new Crm({ baseUrl: service.url, accessToken: other.accessToken })
const address = `${service.url}/console/`
const executablePath = process.env['CRM_TEST_CHROMIUM'] ?? ''
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })

/** A conversation with messages of everybody; returns its address. */
async function tell(): Promise<string> {
  const { _id: customerId } = await crm.customers.create({
    firstName: 'Grace',
    lastName: 'Hopper',
    email: 'grace@example.com',
    phone: '+1 202 555 0143',
    company: 'Compilers Ltd',
    jobTitle: 'Rear admiral',
    tier: 'gold',
    tags: ['vip'],
    customFields: { contract: '2026-117' },
  })
  const inboxId = (await crm.inboxes.list()).data[0]?._id ?? ''
  const { _id: id } = await crm.conversations.create({
    subject: 'The desk lamp does not switch on',
    inboxId,
    customerId,
    channel: 'email',
    labels: ['returns'],
    assignedTo: colleague?._id ?? null,
    message: { content: 'Hello, the lamp of order 4711 does not switch on.', direction: 'inbound' },
  })
  await asColleague.messages.create(id, { content: 'Hello Grace, did you try another socket?' })
  await asColleague.messages.create(id, {
    type: 'note',
    content: 'Third lamp of this batch: see the label “returns”.',
  })
  await crm.messages.create(id, {
    direction: 'inbound',
    contentType: 'html',
    content: `<p>I tried <b>three</b> sockets, in two places.</p><ul><li>kitchen</li><li>study, both</li></ul>
      <p>Sincerely<br>Grace Hopper</p>`,
  })
  return `${address}inbox/open/-/-/${id}`
}

async function open(at: string, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({ ...options, reducedMotion: 'reduce' })
  const page = await context.newPage()
  await page.goto(at)
  await page.getByLabel('E-mail').fill('demo@example.com')
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.locator('.row-name', { hasText: /\S/ }).first().waitFor({ state: 'attached' })
  // Before the name of the customer stands nothing, or the hidden count of unread messages after its comma.
  await page.locator('.row-name', { hasNotText: /^[^,]/ }).first().waitFor({ state: 'detached' })
  return page
}

/** When the fonts are there and the last frame is drawn. */
async function take(page: Page, name: string): Promise<void> {
  await page.mouse.move(0, 0)
  await page.evaluate(
    'document.fonts.ready.then(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))))',
  )
  writeFileSync(`${folder}/${name}.png`, compressPng(await page.screenshot()))
}

async function takeSignIn(): Promise<void> {
  const page = await browser.newPage(narrow)
  await page.goto(address)
  await page.getByLabel('E-mail').fill('demo@example.com')
  await take(page, 'sign-in')
  await page.context().close()
}

async function takeWide(at: string): Promise<void> {
  const page = await open(at, wide)
  const mail = page.frameLocator('iframe[title="Mail"]')
  await mail.getByText('Sincerely').waitFor()
  await take(page, 'inbox')
  const { conversations } = asColleague
  await page.keyboard.press('?')
  await page.getByRole('dialog').waitFor()
  await take(page, 'keys')
  await page.keyboard.press('Escape')
  await conversations.setPresence(at.split('/').at(-1) ?? '', { state: 'replying' })
  await page.getByText('is replying').first().waitFor()
  await take(page, 'together')
  await conversations.setPresence(at.split('/').at(-1) ?? '', { state: 'none' })
  await page.context().close()
}

/** The last one, because the reply is sent afterwards. */
async function takeUndo(at: string): Promise<void> {
  const page = await open(at, wide)
  await page.frameLocator('iframe[title="Mail"]').getByText('Sincerely').waitFor()
  await page.getByRole('textbox', { name: 'New message' }).fill('We send you another one today.')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByRole('region', { name: 'Waiting to be sent' }).waitFor()
  await take(page, 'undo')
  await page.context().close()
}

async function takeDark(at: string): Promise<void> {
  const page = await open(at, { ...wide, colorScheme: 'dark' })
  await page.frameLocator('iframe[title="Mail"]').getByText('Sincerely').waitFor()
  await take(page, 'dark')
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.type('go')
  await take(page, 'palette')
  await page.context().close()
}

async function takeNarrow(at: string): Promise<void> {
  const light = await open(address, narrow)
  await take(light, 'narrow-list')
  await light.getByRole('button', { name: 'Open the menu' }).click()
  await take(light, 'narrow-views')
  await light.context().close()
  const dark = await open(at, { ...narrow, colorScheme: 'dark' })
  await dark.frameLocator('iframe[title="Mail"]').getByText('Sincerely').waitFor()
  await take(dark, 'narrow-thread')
  await dark.context().close()
}

const at = await tell()
await takeSignIn()
await takeWide(at)
await takeDark(at)
await takeNarrow(at)
await takeUndo(at)
await browser.close()
await service.stop()
