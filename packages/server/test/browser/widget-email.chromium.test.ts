import { expect, test } from 'vitest'
import { call } from '../support/call.ts'
import { mailTo } from '../support/system-mail.ts'
import { useWidget } from './support/use-widget.ts'
import { agentOf, type Inbox, makeInbox, pageWith, visit } from './support/widget-browser.ts'

const world = useWidget()

const shop = (inbox: Inbox) => world.pages.add(pageWith({ url: world.service.url, key: inbox.key, body: '' }))

async function customerEmail({ token }: Inbox): Promise<string | null> {
  const { data } = (await call(world.service.url, { path: '/api/v1/customers', token })).body
  return data[0]?.profile.email ?? null
}

test('a visitor is asked for an address after the first message, gives it, and mails the conversation to it', async () => {
  const inbox = await makeInbox(world.service.url, { allowedOrigins: [world.pages.origin], askEmail: true })
  const agent = agentOf(world.service.url, inbox)
  const visitor = await visit(world.browser, shop(inbox))
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
  await expect.poll(async () => (await mailTo(world.service.url, 'vera@example.com')).length).toBe(1)
  await visitor.page.reload()
  await visitor.open()
  await transcript.waitFor()
  expect(await field.isVisible()).toBe(false)
  await transcript.click()
  await visitor.chat.getByText(/The conversation was sent already\. Try again in \d+ min\./).waitFor()
})

test('a visitor who skips the question is not asked again, and keeps writing', async () => {
  const inbox = await makeInbox(world.service.url, { allowedOrigins: [world.pages.origin], askEmail: true })
  const visitor = await visit(world.browser, shop(inbox))
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
  const inbox = await makeInbox(world.service.url, { allowedOrigins: [world.pages.origin] })
  const visitor = await visit(world.browser, `${shop(inbox)}#crm-chat`)
  const field = visitor.chat.getByRole('textbox', { name: 'Message' })
  await field.waitFor()
  await visitor.write('Hello')
  await visitor.chat.locator('.message .text').waitFor()
  expect(await visitor.chat.getByRole('textbox', { name: 'E-mail' }).isVisible()).toBe(false)
})
