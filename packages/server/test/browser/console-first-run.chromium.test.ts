import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { call, password, registerTenant } from '../support/call.ts'
import { type RunningService, startService } from '../support/start-service.ts'
import { joinAs, openConsole, signIn, violationsOf } from './support/console-browser.ts'
import { closePages } from './support/use-browser.ts'
import { launchBrowser, type Pages, startPages, visit } from './support/widget-browser.ts'

// From the address that a fresh server prints to the first conversation that is answered, in browsers alone.

let browser: Browser
let closeBrowser: () => Promise<void>
let pages: Pages
const started: RunningService[] = []

async function fresh(variables: Record<string, string>): Promise<RunningService> {
  const service = await startService(variables)
  started.push(service)
  return service
}

beforeAll(async () => {
  pages = await startPages()
  const launched = await launchBrowser()
  browser = launched.browser
  closeBrowser = launched.close
})
afterEach(async () => {
  await closePages(browser)
  for (const service of started.splice(0)) await service.stop()
})
afterAll(async () => {
  await closeBrowser()
  await pages.close()
})

test('a new team comes from the printed address to its first reply, and a colleague joins, without a terminal', async () => {
  const { url, service } = await fresh({ CRM_REGISTRATION: 'first', CRM_TRUST_PROXY: '1' })
  const address = `${url}/#setup=${service.tokens.setupToken()}`
  const { page, complaints } = await openConsole(browser, address, { permissions: ['notifications'] })
  await page.getByRole('heading', { name: 'Create your team' }).waitFor()
  expect(page.url()).toBe(`${url}/console/create-team`)
  expect(await violationsOf(page)).toEqual([])
  await page.getByLabel('First name').fill('Ada')
  await page.getByLabel('Last name').fill('Lovelace')
  await page.getByLabel('E-mail').fill('ada@engines.example')
  await page.getByLabel('Password').fill(password)
  await page.getByLabel('Name of the team').fill('Engines')
  await page.getByRole('button', { name: 'Create the team' }).click()

  const step = (name: string) => page.getByRole('region', { name })
  const channel = step('Connect where people write')
  await channel.getByRole('button', { name: 'Switch the chat on' }).click()
  const snippet = await channel.getByLabel('Paste this line into your page').inputValue()
  await channel.getByText('Waiting for your page…').waitFor()
  expect(await violationsOf(page)).toEqual([])
  const html = `<!doctype html><html lang="en"><title>A shop</title><h1>A shop</h1>${snippet}</html>`
  const visitor = await visit(browser, pages.add(html))
  await channel.getByText(`Seen on ${pages.origin}`).waitFor()
  await visitor.open()
  await visitor.write('Is the teapot in stock?')
  await channel.getByText('Done', { exact: true }).waitFor({ state: 'attached' })

  await page.getByRole('link', { name: 'Show the conversations that wait' }).click()
  await page.getByRole('link', { name: /Is the teapot in stock/ }).click()
  await page.getByRole('textbox', { name: 'New message' }).fill('Yes, since today.')
  await page.keyboard.press('Control+Enter')
  const waiting = page.getByRole('region', { name: 'Waiting to be sent' })
  await waiting.getByRole('button', { name: 'Send now' }).click()
  await visitor.chat.getByText('Yes, since today.').waitFor()

  await page.getByRole('link', { name: 'Getting started 2 of 4' }).click()
  await step('Reply to the first conversation')
    .getByText('Done', { exact: true })
    .waitFor({ state: 'attached' })
  const invite = step('Invite a colleague')
  await invite.getByLabel('E-mail').fill('grace@engines.example')
  await invite.getByRole('button', { name: 'Invite' }).click()
  const link = await invite.getByLabel('Send this link to grace@engines.example').inputValue()
  const colleague = await openConsole(browser, link)
  await colleague.page.getByText('Ada Lovelace invites grace@engines.example to the team Engines.').waitFor()
  await colleague.page.getByLabel('First name').fill('Grace')
  await colleague.page.getByLabel('Password', { exact: true }).fill('another long sentence')
  await colleague.page.getByRole('button', { name: 'Accept the invitation' }).click()
  await colleague.page.getByRole('navigation', { name: 'Views' }).getByText('Grace').waitFor()
  await invite.getByText('Done', { exact: true }).waitFor({ state: 'attached' })

  await step('Switch notifications on').getByRole('button', { name: 'Switch on' }).click()
  await page.getByText('Everything is done.').waitFor()
  expect(complaints).toEqual([])
  await page.goto(`${url}/console/`)
  await page.getByRole('navigation', { name: 'Views' }).waitFor()
  await expect.poll(async () => (await stateOf(url)).first).toBe(false)
  expect(await page.getByRole('link', { name: /Getting started/ }).count()).toBe(0)
})

const stateOf = async (url: string) => (await call(url, { path: '/api/auth/registration' })).body.data

test('without the token the page of a server that others reach says where to find it, and refuses in a sentence', async () => {
  const { url } = await fresh({ CRM_REGISTRATION: 'first', CRM_TRUST_PROXY: '1' })
  const { page } = await openConsole(browser, `${url}/`)
  await page.getByText('Open the address that the server has printed').waitFor()
  for (const label of ['First name', 'Name of the team']) await page.getByLabel(label).fill('Ada')
  await page.getByLabel('E-mail').fill('ada@engines.example')
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Create the team' }).click()
  await page.getByText('needs the setup token').waitFor()
  expect((await stateOf(url)).first).toBe(true)
})

test('where registration is closed, the sign-in names the command of the operator', async () => {
  const { url } = await fresh({ CRM_REGISTRATION: 'off' })
  const { page } = await openConsole(browser, `${url}/`)
  await page.getByText('This server has no team yet').waitFor()
  await page.getByText('crm-server tenants create').waitFor()
  expect(await page.getByRole('link', { name: 'Create your team' }).count()).toBe(0)
  expect(await violationsOf(page)).toEqual([])
})

test('where registration is open, a second team is created beside the first, and a known e-mail needs its password', async () => {
  const { url } = await fresh({ CRM_REGISTRATION: 'open' })
  const { email } = await registerTenant(url)
  const { page } = await openConsole(browser, `${url}/`)
  await page.getByRole('link', { name: 'Create your team' }).click()
  await page.getByLabel('First name').fill('Ada')
  await page.getByLabel('Name of the team').fill('Second team')
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill('not the password of it')
  await page.getByRole('button', { name: 'Create the team' }).click()
  await page.getByText('This e-mail is known on this server').waitFor()
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Create the team' }).click()
  await page.getByRole('heading', { name: 'Getting started' }).waitFor()
  await page.getByRole('navigation', { name: 'Views' }).getByText('Second team').waitFor()
})

test('a team tries the console with sample data, and removes them with all it has added', async () => {
  const { url } = await fresh({})
  const { email, token } = await registerTenant(url)
  const { page, complaints } = await openConsole(browser, `${url}/console/`)
  await signIn(page, email)
  await page.getByRole('link', { name: /Getting started/ }).click()
  await page.getByRole('button', { name: 'Try with sample data' }).click()
  await page.getByRole('link', { name: /Two of twelve cups/ }).click()
  await page.getByText('Can you send new ones?').last().waitFor()
  const line = page.getByRole('status').filter({ hasText: 'Sample data' })
  await line.getByRole('button', { name: 'Remove' }).click()
  expect(await violationsOf(page)).toEqual([])
  await line.getByRole('button', { name: 'Keep' }).click()
  await line.getByRole('button', { name: 'Remove' }).click()
  await line.getByRole('button', { name: 'Remove sample data' }).click()
  await line.waitFor({ state: 'hidden' })
  await page.getByRole('link', { name: /Two of twelve cups/ }).waitFor({ state: 'hidden' })
  const left = async () => (await call(url, { path: '/api/v1/customers', token })).body.data
  await expect.poll(left).toEqual([])
  expect(complaints).toEqual([])
  await page.getByRole('link', { name: /Getting started/ }).click()
  await page.getByRole('button', { name: 'Try with sample data' }).waitFor()
})

test('the list is hidden for the team by an admin, and an agent never sees it', async () => {
  const { url } = await fresh({})
  const { email, token } = await registerTenant(url)
  const agent = await openConsole(browser, `${url}/console/`)
  const read: string[] = []
  agent.page.on('request', (request) => read.push(new URL(request.url()).pathname))
  await signIn(agent.page, await joinAs(url, token, 'agent'))
  const { page } = await openConsole(browser, `${url}/console/`)
  await signIn(page, email)
  await page.getByRole('link', { name: 'Getting started 1 of 4' }).click()
  await page.getByRole('button', { name: 'Hide this list' }).click()
  await page.getByRole('link', { name: /Getting started/ }).waitFor({ state: 'hidden' })
  const list = await call(url, { path: '/api/tenant/setup', token })
  expect(list.body.data.dismissedAt).toEqual(expect.any(String))
  expect(await agent.page.getByRole('link', { name: /Getting started/ }).count()).toBe(0)
  expect(read).not.toContain('/api/tenant/setup')
})
