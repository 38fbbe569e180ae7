import axe from 'axe-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { call, password } from '../../support/call.ts'

export interface ConsoleTab {
  page: Page
  /** The errors of the page, and each request that leaves the service. */
  complaints: string[]
}

/** A tab of a browser without history, at an address of the console. */
export async function openConsole(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {},
): Promise<ConsoleTab> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options })
  return watchTab(await context.newPage(), address)
}

export async function watchTab(page: Page, address: string): Promise<ConsoleTab> {
  const complaints: string[] = []
  page.on('console', (message) => {
    // The browser also logs a refused request.
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    if (origin !== new URL(address).origin && !['data:', 'blob:'].includes(protocol))
      complaints.push(request.url())
  })
  await page.goto(address)
  return { page, complaints }
}

export async function signIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('navigation', { name: 'Views' }).waitFor()
}

/** Each violation of the rules of axe on the page, or in one part of it. */
export async function violationsOf(page: Page, part = 'html'): Promise<unknown> {
  if (await page.evaluate(`typeof window.axe === 'undefined'`)) await page.evaluate(axe.source)
  return page.evaluate(
    `axe.run('${part}').then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ' ' + html)))`,
  )
}

interface NewConversation {
  subject: string
  content: string
  customer?: string
  contentType?: 'text' | 'html'
}

/** A conversation that a customer began. Returns its id. */
export async function writeAsCustomer(
  url: string,
  token: string,
  { subject, content, customer = 'Grace', contentType = 'text' }: NewConversation,
): Promise<string> {
  const post = async (path: string, body: object) => {
    const response = await call(url, { method: 'POST', path, token, body })
    if (response.status !== 201) throw new Error(JSON.stringify(response.body))
    return response.body.data._id as string
  }
  const customerId = await post('/api/v1/customers', { firstName: customer, email: 'grace@example.com' })
  const { body } = await call(url, { path: '/api/v1/inboxes', token })
  const id = await post('/api/v1/conversations', { subject, customerId, inboxId: body.data[0]._id })
  await post(`/api/v1/conversations/${id}/messages`, { content, contentType, direction: 'inbound' })
  return id
}

/** A message of a conversation, by whoever the token belongs to. */
export async function write(
  url: string,
  token: string,
  { id, ...body }: { id: string; content: string; type?: 'note'; direction?: 'inbound' },
): Promise<void> {
  const path = `/api/v1/conversations/${id}/messages`
  const { status, body: reply } = await call(url, { method: 'POST', path, token, body })
  if (status !== 201) throw new Error(JSON.stringify(reply))
}

/** Invites somebody to the tenant of the token, and accepts with the password of the tests. Returns the e-mail. */
export async function joinAs(url: string, token: string, role: string): Promise<string> {
  invitations += 1
  const email = `${role}-${invitations}@example.com`
  const post = (path: string, body: object, by?: string) =>
    call(url, { method: 'POST', path, body, token: by })
  const invited = await post('/api/v1/users', { email, role, firstName: 'Ben', lastName: role }, token)
  const { inviteToken } = invited.body.data
  const { status, body } = await post('/api/auth/accept-invite', { token: inviteToken, password })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return email
}

let invitations = 0

export interface ShownCommand {
  text: string
  /** As Playwright presses it, one for each key of a sequence; undefined: the command has no key. */
  keys: string[] | undefined
}

/** Every command that the palette shows at this moment. */
export async function commandsShown(page: Page): Promise<ShownCommand[]> {
  await page.keyboard.press('Control+k')
  const dialog = page.getByRole('dialog', { name: 'Commands' })
  await dialog.getByRole('option').first().waitFor()
  const shown: [string, string | undefined][] = await page.evaluate(
    `[...document.querySelectorAll('dialog [role=option]')].map((one) =>
      [one.querySelector('span').textContent, one.querySelector('kbd')?.textContent])`,
  )
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  return shown.map(([text, key]) => ({ text, keys: key === undefined ? undefined : keysOf(key) }))
}

/** `g m` is two keys; `Ctrl Shift Enter` is one. */
function keysOf(shown: string): string[] {
  if (/^(Ctrl|Shift) /.test(shown))
    return [shown.replace('Ctrl ', 'Control+').replace('Shift ', 'Shift+').replace(/\bK$/, 'k')]
  return shown.split(' ')
}

export async function press(page: Page, keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key)
}
