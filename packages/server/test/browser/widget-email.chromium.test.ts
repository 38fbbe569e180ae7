import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { call } from '../support/call.ts'
import { type RunningService, startService } from '../support/start-service.ts'
import { mailTo } from '../support/system-mail.ts'
import { closePages } from './support/use-browser.ts'
import {
  agentOf,
  type Inbox,
  launchBrowser,
  makeInbox,
  type Pages,
  pageWith,
  startPages,
  visit,
} from './support/widget-browser.ts'

let service: RunningService
let pages: Pages
let browser: Browser
let closeBrowser: () => Promise<void>
beforeAll(async () => {
  service = await startService()
  pages = await startPages()
  const launched = await launchBrowser()
  browser = launched.browser
  closeBrowser = launched.close
})
afterEach(() => closePages(browser))
afterAll(async () => {
  await closeBrowser()
  await service.stop()
  await pages.close()
})

const shop = (inbox: Inbox) => pages.add(pageWith({ url: service.url, key: inbox.key, body: '' }))

async function customerEmail({ token }: Inbox): Promise<string | null> {
  const { data } = (await call(service.url, { path: '/api/v1/customers', token })).body
  return data[0]?.profile.email ?? null
}

test('a visitor is asked for an address after the first message, gives it, and mails the conversation to it', async () => {
  const inbox = await makeInbox(service.url, { allowedOrigins: [pages.origin], askEmail: true })
  const agent = agentOf(service.url, inbox)
  const visitor = await visit(browser, shop(inbox))
  await visitor.open()
  const field = visitor.chat.getByRole('textbox', { name: 'E-mail' })
  expect(await field.isVisible()).toBe(false)
  await visitor.write('Is the teapot in stock?')
  await field.waitFor()
  const transcript = visitor.chat.getByRole('button', { name: 'Send transcript' })
  expect(await transcript.isVisible()).toBe(false)
  await field.fill('vera@example.com')
  await visitor.chat.getByRole('button', { name: 'Save' }).click()
  await visitor.chat.getByText('Replies that you miss here go to vera@example.com.').waitFor()
  expect(await customerEmail(inbox)).toBe('vera@example.com')
  await agent.reply('Yes, since today.')
  await visitor.chat.getByText('Yes, since today.').waitFor()
  await transcript.click()
  await visitor.chat.getByText('The conversation is on its way to vera@example.com.').waitFor()
  await expect.poll(async () => (await mailTo(service.url, 'vera@example.com')).length).toBe(1)
  await visitor.page.reload()
  await visitor.open()
  await transcript.waitFor()
  expect(await field.isVisible()).toBe(false)
  await transcript.click()
  await visitor.chat.getByText(/The conversation was sent already\. Try again in \d+ min\./).waitFor()
})

test('a visitor who skips the question is not asked again, and keeps writing', async () => {
  const inbox = await makeInbox(service.url, { allowedOrigins: [pages.origin], askEmail: true })
  const visitor = await visit(browser, shop(inbox))
  await visitor.open()
  await visitor.write('Hello')
  const skip = visitor.chat.getByRole('button', { name: 'Skip' })
  await skip.click()
  await skip.waitFor({ state: 'hidden' })
  await visitor.page.reload()
  await visitor.open()
  await visitor.write('Hello again')
  await visitor.chat.getByText('Hello again').waitFor()
  expect(await skip.isVisible()).toBe(false)
  expect(await customerEmail(inbox)).toBeNull()
})

test('a visitor is not asked where the inbox does not ask, and the link of a mail opens the chat', async () => {
  const inbox = await makeInbox(service.url, { allowedOrigins: [pages.origin] })
  const visitor = await visit(browser, `${shop(inbox)}#crm-chat`)
  const field = visitor.chat.getByRole('textbox', { name: 'Message' })
  await field.waitFor()
  await visitor.write('Hello')
  await visitor.chat.locator('.message .text').waitFor()
  expect(await visitor.chat.getByRole('textbox', { name: 'E-mail' }).isVisible()).toBe(false)
})
