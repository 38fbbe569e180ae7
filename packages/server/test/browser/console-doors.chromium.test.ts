import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { call, registerTenant } from '../support/call.ts'
import { makeMailInbox } from '../support/mail-inbox.ts'
import { useService } from '../support/use-service.ts'
import { switchWidgetOn, WidgetVisitor } from '../support/widget-visitor.ts'
import { joinAs, openConsole, signIn, violationsOf } from './support/console-browser.ts'
import { useBrowser } from './support/use-browser.ts'

// The console says how a reply leaves, before it is written and after it is stored.

const running = useService({ CRM_MAIL_DOMAIN: 'in.acme.test' })
const browser = useBrowser()

const composer = (page: Page) => page.getByRole('form', { name: 'New message' })
const foot = (page: Page) => page.locator('.message-outbound .message-foot').last()

async function newTenant() {
  const tenant = await registerTenant(running.url)
  const ask = async (method: string, path: string, body?: object) =>
    (await call(running.url, { method, path: `/api/v1/${path}`, token: tenant.token, body })).body.data
  const open = async (id: string, email = tenant.email) => {
    const { page } = await openConsole(browser, `${running.url}/console/inbox/open/-/-/${id}`)
    await signIn(page, email)
    await composer(page).waitFor()
    return page
  }
  return { ...tenant, ask, open }
}

async function whatsApp() {
  const tenant = await newTenant()
  const inboxId = (await tenant.ask('GET', 'inboxes'))[0]._id
  const message = { content: 'hi', direction: 'inbound' }
  const asked = { subject: 'WhatsApp', inboxId, channel: 'whatsapp', message }
  return { ...tenant, id: (await tenant.ask('POST', 'conversations', asked))._id as string }
}

test('a reply that no channel carries is never called sent, and an admin reads what to connect', async () => {
  const { id, ask, open, token } = await whatsApp()
  await ask('POST', `conversations/${id}/messages`, { content: 'hello' })
  const page = await open(id)
  await composer(page).getByText('By nobody: a reply is stored, and nobody sends it.').waitFor()
  await composer(page).getByText('Connect a webhook that hears message.sent').waitFor()
  const footText = (at: Page) =>
    foot(at)
      .textContent()
      .then((text) => text?.trim())
  await expect.poll(() => footText(page)).toMatch(/^Stored, nobody sends it\s*Connect e-mail or a webhook$/)
  expect(await violationsOf(page, '.thread-pane')).toEqual([])
  const theirs = await open(id, await joinAs(running.url, token, 'agent'))
  await composer(theirs).getByText('An admin can connect e-mail or a webhook.').waitFor()
  await expect.poll(() => footText(theirs)).toBe('Stored, nobody sends it')
})

test('a reply that a webhook takes is said to go there, and is sent', async () => {
  const { id, ask, open } = await whatsApp()
  await ask('POST', 'webhooks', {
    name: 'Carrier',
    url: 'https://carrier.example/crm',
    events: ['message.sent'],
  })
  const page = await open(id)
  await composer(page).getByText('By the webhook of your team').waitFor()
  await page.getByRole('textbox', { name: 'New message' }).fill('hello')
  await page.keyboard.press('Control+Enter')
  await expect.poll(() => foot(page).textContent()).toBe('Sent')
})

test('a chat says whether the visitor is there, and asks again when somebody begins to write', async () => {
  const { token, tenant, ask, open } = await newTenant()
  const widget = await switchWidgetOn(running.url, token)
  const visitor = new WidgetVisitor(running.url)
  await visitor.begin(widget.key)
  const { _id: id } = await visitor.ask('Hello')
  const page = await open(id)
  await composer(page).getByText('In the chat; the visitor is there').waitFor()
  const store = running.service.storage.forTenant(tenant._id)
  const { customerId } = (await store.conversations.find(id)) ?? {}
  const newest = { customerId: customerId ?? '', sort: '-createdAt', page: 1, limit: 1 } as const
  const [session] = (await store.widgetSessions.list(newest)).rows
  const set = { lastSeenAt: new Date(Date.now() - 600_000).toISOString() }
  const { _id = '', version: expectVersion = 0 } = session ?? {}
  const write = { op: 'update', kind: 'widgetSessions', id: _id, expectVersion, set } as const
  await store.commit({ writes: [write], events: [] })
  await page.getByRole('textbox', { name: 'New message' }).fill('hello')
  await composer(page).getByText('In the chat; the visitor is away since').waitFor()
  await ask('POST', `conversations/${id}/messages`, { content: 'A reply' })
  await expect.poll(() => foot(page).textContent()).toBe('Sent')
})

test('a reply by mail names its sender beside its recipients, and one that came back says so', async () => {
  const inbox = await makeMailInbox(running)
  const { conversationId: id = '' } = await inbox.receive({ from: 'Ada <ada@example.com>' })
  const sent = (await inbox.reply(id)).body.data
  // The job that sends it writes it too.
  await expect.poll(async () => (await inbox.messageOf(sent._id)).status).toBe('sent')
  const { version = 0 } = (await inbox.store.messages.find(sent._id)) ?? {}
  const came = { status: 'failed' as const, text: 'mailbox full', bouncedAt: new Date().toISOString() }
  const recipients = sent.recipients.map((one: object) => ({ ...one, ...came }))
  const set = { status: 'failed' as const, recipients }
  await inbox.store.commit({
    writes: [{ op: 'update', kind: 'messages', id: sent._id, expectVersion: version, set }],
    events: [],
  })
  const { page } = await openConsole(browser, `${running.url}/console/inbox/open/-/-/${id}`)
  await signIn(page, inbox.owner.email)
  await composer(page).getByText('To Ada <ada@example.com>').waitFor()
  await composer(page).getByText(`by e-mail from ${sent.email.from.address}`).waitFor()
  await foot(page).getByText('Bounced: ada@example.com: mailbox full').waitFor()
})
