import { randomUUID } from 'node:crypto'
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

/** Adds a user who can sign in, as by an invitation, and returns the e-mail. */
export async function addMember(url: string, token: string, role: 'viewer' | 'agent'): Promise<string> {
  const email = `${role}-${randomUUID()}@example.com`
  const invite = await call(url, { method: 'POST', path: '/api/v1/users', token, body: { email, role } })
  const body = { token: invite.body.data.inviteToken, password }
  const accepted = await call(url, { method: 'POST', path: '/api/auth/accept-invite', body })
  if (accepted.status !== 200) throw new Error(JSON.stringify(accepted.body))
  return email
}

/** Each violation of the rules of axe on the page. */
export async function violationsOf(page: Page): Promise<unknown> {
  await page.evaluate(axe.source)
  return page.evaluate(
    `axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ' ' + html)))`,
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
