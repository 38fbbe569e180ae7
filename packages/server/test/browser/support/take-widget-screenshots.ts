// Takes the screenshots of docs/widget.md: `node --conditions=@crmkit/source` with this file and CRM_TEST_CHROMIUM.
import { mkdirSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import { call } from '../../support/call.ts'
import { startService } from '../../support/start-service.ts'
import {
  agentOf,
  type Inbox,
  launchBrowser,
  pageWith,
  startPages,
  type Visitor,
  visit,
} from './widget-browser.ts'

const folder = 'docs/widget'
mkdirSync(folder, { recursive: true })
const service = await startService()
const pages = await startPages()
const { browser, close } = await launchBrowser()

const head = `<style>body { font: 16px system-ui; margin: 24px; color-scheme: light dark }
  @media (prefers-color-scheme: dark) { body { background: #222; color: #eee } }</style>`
const body = '<p>Teapots, cups and saucers.</p>'

let shops = 0

/** The inbox of a tenant with a name that a shop may have, where somebody is online. */
async function makeShop(): Promise<Inbox> {
  shops += 1
  const post = { method: 'POST', path: '/api/auth/register' }
  const owner = { email: `olive${shops}@example.com`, password: 'correct horse battery', firstName: 'Olive' }
  const body = { ...owner, tenantName: 'Teapots & Co.', lastName: 'Owner' }
  const { body: registered } = await call(service.url, { ...post, body })
  const token: string = registered.data.accessToken
  const me = { method: 'PUT', path: '/api/v1/users/me', token }
  await call(service.url, { ...me, body: { availability: 'online' } })
  const widget = { enabled: true, greeting: 'Hello! How can we help?', showTeam: true }
  const made = {
    method: 'POST',
    path: '/api/v1/inboxes',
    token,
    body: { name: 'Web', channel: 'chat', widget },
  }
  const { data } = (await call(service.url, made)).body
  return { _id: data._id, key: data.widget.publicKey, token, email: owner.email }
}

async function visitShop(
  on: Browser,
  {
    name,
    isOpen,
    ...options
  }: { name: string; isOpen: boolean; width: number; height: number; isDark: boolean },
): Promise<Visitor> {
  const inbox = await makeShop()
  const address = pages.add(pageWith({ url: service.url, key: inbox.key, head, body }))
  const viewport = { width: options.width, height: options.height }
  const visitor = await visit(on, address, { viewport, colorScheme: options.isDark ? 'dark' : 'light' })
  await visitor.page.getByRole('button', { name: 'Open chat' }).waitFor()
  if (isOpen) {
    await visitor.open()
    // The helper of the tests waits by a function that only their program has.
    const field = visitor.chat.getByRole('textbox', { name: 'Message' })
    while ((await field.inputValue()) === '') await field.fill('Is the blue teapot in stock?')
    await visitor.chat.getByRole('button', { name: 'Send', exact: true }).click()
    await visitor.chat.locator('.message time').waitFor()
    await agentOf(service.url, inbox).reply('Yes, since this morning: https://www.example.com/teapots')
    await visitor.chat.getByText('Yes, since this morning').waitFor()
  }
  await visitor.page.screenshot({ path: `${folder}/${name}.png` })
  return visitor
}

const wide = { width: 480 + 80, height: 560 }
await visitShop(browser, { name: 'closed', isOpen: false, isDark: false, ...wide })
await visitShop(browser, { name: 'open', isOpen: true, isDark: false, ...wide })
await visitShop(browser, { name: 'dark', isOpen: true, isDark: true, ...wide })
await visitShop(browser, { name: 'narrow', isOpen: true, isDark: false, width: 320, height: 560 })
await close()
await service.stop()
await pages.close()
