import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type OutgoingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type FrameLocator,
  type Locator,
  type Page,
} from 'playwright-core'
import { expect } from 'vitest'
import { call, registerTenant } from '../../support/call.ts'

/** Playwright's own flags deny storage to frames of another site, so the browser gets only these. */
export async function launchBrowser(): Promise<{ browser: Browser; close(): Promise<void> }> {
  const profile = mkdtempSync(path.join(tmpdir(), 'crmkit-chromium-'))
  const browser = await chromium.launch({
    executablePath: process.env['CRM_TEST_CHROMIUM'] ?? '',
    // In another locale, a file whose name is not ASCII is saved as "download".
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
    ignoreDefaultArgs: true,
    args: [
      '--headless=new',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--no-first-run',
      '--remote-debugging-pipe',
      `--user-data-dir=${profile}`,
    ],
  })
  return {
    browser,
    async close() {
      await browser.close()
      rmSync(profile, { recursive: true, force: true })
    },
  }
}

interface Html {
  html: string
  headers: OutgoingHttpHeaders
}

/** A web server of somebody else: its pages are on another site than the service. */
export async function startPages() {
  const pages = new Map<string, Html>()
  const server = createServer((req, res) => {
    const page = pages.get(new URL(req.url ?? '', 'http://localhost').pathname)
    // Browsers also ask for an icon.
    res.writeHead(page ? 200 : 204, { 'content-type': 'text/html; charset=utf-8', ...page?.headers })
    res.end(page?.html)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`
  let count = 0
  return {
    origin,
    add(html: string, headers: OutgoingHttpHeaders = {}): string {
      count += 1
      pages.set(`/page-${count}`, { html, headers })
      return `${origin}/page-${count}`
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

export type Pages = Awaited<ReturnType<typeof startPages>>

export interface Inbox {
  _id: string
  key: string
  /** Of an owner of its tenant. */
  token: string
  email: string
}

/** An inbox with a switched-on widget, in a tenant of its own. */
export async function makeInbox(url: string, widget: object = {}): Promise<Inbox> {
  const { token, email } = await registerTenant(url)
  const body = { name: 'Web', channel: 'chat', widget: { enabled: true, ...widget } }
  const { body: reply } = await call(url, { method: 'POST', path: '/api/v1/inboxes', token, body })
  return { _id: reply.data._id, key: reply.data.widget.publicKey, token, email }
}

export interface Snippet {
  url: string
  key: string
  /** Attributes of `<html>`. */
  html?: string
  head?: string
  body?: string
}

/** A page with the snippet that `crm inboxes snippet` prints. */
export function pageWith({
  url,
  key,
  html = 'lang="en"',
  head = '',
  body = '<p>A page</p>',
}: Snippet): string {
  return `<!doctype html><html ${html}><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>A shop</title>${head}
<script async src="${url}/widget/v1.js" data-key="${key}"></script></head>
<body><main><h1>A shop</h1>${body}</main></body></html>`
}

export interface Visitor {
  page: Page
  chat: FrameLocator
  /** The warnings and errors of the page and its frames. */
  lines: string[]
  open(): Promise<void>
  /** Fills the field for a message. */
  type(text: string): Promise<void>
  /** Types and sends a message, and waits until the thread shows it. */
  write(text: string): Promise<void>
}

/** A tab of a browser without history. */
export async function visit(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {},
): Promise<Visitor> {
  const context = await browser.newContext(options)
  return newTab(await context.newPage(), address)
}

export async function newTab(page: Page, address: string): Promise<Visitor> {
  const lines: string[] = []
  page.on('console', (message) => {
    if (['warning', 'error'].includes(message.type())) lines.push(message.text())
  })
  page.on('pageerror', (error) => lines.push(error.message))
  await page.goto(address)
  const chat = page.frameLocator('iframe[title="Chat"]')
  const field = chat.getByRole('textbox', { name: 'Message' })
  // The browser gives the keyboard to a frame of another process only after the frame itself has the focus, and
  // under load it sometimes never does: until then the text of a driver goes nowhere. The driver then leaves the
  // frame and comes back, as a person would.
  const type = (text: string) =>
    expect
      .poll(async () => {
        await field.fill(text)
        const value = await field.inputValue()
        if (value !== text) await comeBack(page)
        return value
      })
      .toBe(text)
  return {
    page,
    chat,
    lines,
    async open() {
      await page.getByRole('button', { name: 'Open chat' }).click()
      await field.waitFor()
    },
    type,
    async write(text) {
      await type(text)
      await chat.getByRole('button', { name: 'Send', exact: true }).click()
      await chat.getByRole('log').getByText(text, { exact: true }).first().waitFor()
    },
  }
}

/** Brings the tab to the front, takes the focus from the widget's frame and gives it back. */
export async function comeBack(page: Page): Promise<void> {
  await page.bringToFront()
  await page.locator('crm-widget').evaluate((host) => {
    const frame = host.shadowRoot?.querySelector('iframe')
    frame?.blur()
    frame?.focus()
  })
}

/** Waits for the download that a click begins, and returns the name of its file. */
export async function downloadName(page: Page, button: Locator): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()])
  // A download that is refused has no name of its own.
  expect(await download.failure()).toBeNull()
  return download.suggestedFilename()
}

/** The lines of the widget itself. */
export const ownLines = ({ lines }: Visitor) => lines.filter((line) => line.startsWith('crmkit chat widget:'))

export interface AgentView {
  conversations(): Promise<{ _id: string; customerId: string }[]>
  /** The texts of the only conversation, oldest first. */
  texts(): Promise<string[]>
  reply(content: string): Promise<void>
}

export function agentOf(url: string, { token }: Inbox): AgentView {
  const get = async (where: string) => (await call(url, { path: where, token })).body.data
  const conversations = () => get('/api/v1/conversations?limit=100')
  const messages = async () => {
    const [conversation] = await conversations()
    return conversation ? get(`/api/v1/conversations/${conversation._id}/messages?limit=100`) : []
  }
  return {
    conversations,
    async texts() {
      const all: { content: string; createdAt: string }[] = await messages()
      return all.sort((a, b) => a.createdAt.localeCompare(b.createdAt)).map(({ content }) => content)
    },
    async reply(content) {
      const [{ _id }] = await conversations()
      const where = `/api/v1/conversations/${_id}/messages`
      const { status, body } = await call(url, { method: 'POST', path: where, token, body: { content } })
      if (status !== 201) throw new Error(JSON.stringify(body))
    },
  }
}
