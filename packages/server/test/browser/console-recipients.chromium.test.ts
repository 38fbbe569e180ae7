import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { type MailInbox, makeMailInbox } from '../support/mail-inbox.ts'
import { useService } from '../support/use-service.ts'
import { openConsole, signIn } from './support/console-browser.ts'
import { useBrowser } from './support/use-browser.ts'

const running = useService({ CRM_MAIL_DOMAIN: 'in.acme.test' })
const browser = useBrowser()

const fieldOf = (page: Page) => page.getByRole('textbox', { name: 'New message' })
const waiting = (page: Page) => page.getByRole('region', { name: 'Waiting to be sent' })

async function openMail(inbox: MailInbox, fields: Parameters<MailInbox['receive']>[0]) {
  const { conversationId: id = '' } = await inbox.receive(fields)
  const { page } = await openConsole(browser, `${running.url}/console/inbox/open/-/-/${id}`)
  await signIn(page, inbox.owner.email)
  await page.getByRole('log').getByText('Hi').waitFor()
  return { page, id }
}

test('a reply never reaches a customer who was chosen while it waited: it stays in the field, with the reason', async () => {
  const inbox = await makeMailInbox(running)
  const { page, id } = await openMail(inbox, { from: 'Ada <ada@example.com>' })
  await page.getByText('To Ada <ada@example.com>').waitFor()
  await fieldOf(page).fill('The key is 1234')
  await page.keyboard.press('Control+Enter')
  await waiting(page).getByText('To ada@example.com').waitFor()
  const { body } = await inbox.ask('POST', '/api/v1/customers', {
    firstName: 'Other',
    email: 'other@example.com',
  })
  await inbox.ask('PUT', `/api/v1/conversations/${id}`, { customerId: body.data._id })
  await page.getByText('Your reply was not sent, because the customer or an address has changed').waitFor()
  expect(await fieldOf(page).inputValue()).toBe('The key is 1234')
  expect(await inbox.messagesOf(id)).toHaveLength(1)
})

test('a reply to an unverified mail names the address of its sender, and only offers what the mail names besides', async () => {
  const inbox = await makeMailInbox(running)
  await inbox.ask('POST', '/api/v1/customers', { firstName: 'Real', email: 'real@corp.test' })
  const { page } = await openMail(inbox, {
    from: 'Real Customer <real@corp.test>',
    headers: ['Reply-To: thief@evil.test', 'Cc: accomplice@evil.test'],
  })
  await page.getByText('To Real Customer <real@corp.test>').waitFor()
  await page.getByRole('log').getByText('real@corp.test · Sender not verified').waitFor()
  await page.getByRole('button', { name: 'Add accomplice@evil.test' }).waitFor()
  await page.getByRole('button', { name: 'Add thief@evil.test' }).click()
  await page.getByText('To real@corp.test, thief@evil.test').waitFor()
})

test('eight files that are chosen at once are all in the reply, also while the person types', async () => {
  const inbox = await makeMailInbox(running)
  const { page, id } = await openMail(inbox, {})
  const files = [1, 2, 3, 4, 5, 6, 7, 8].map((number) => ({
    name: `file-${number}.txt`,
    mimeType: 'text/plain',
    buffer: Buffer.from(`file ${number}`),
  }))
  await page.locator('input[type=file]').setInputFiles(files)
  await fieldOf(page).pressSequentially('Here they are')
  await expect.poll(() => page.locator('.composer .file').count()).toBe(8)
  await page.keyboard.press('Control+Enter')
  await waiting(page).getByRole('button', { name: 'Send now' }).click()
  await expect.poll(async () => (await inbox.messagesOf(id)).length).toBe(2)
  const { content, attachments } = (await inbox.messagesOf(id)).at(-1)
  const names = attachments.map(({ filename }: { filename: string }) => filename).sort()
  expect([content, names]).toEqual(['Here they are', files.map(({ name }) => name)])
})

test('a mail says to whom it went, its many addresses as a number with all of them in the tooltip', async () => {
  const inbox = await makeMailInbox(running)
  const copies = [1, 2, 3, 4, 5].map((number) => `copy-${number}@example.com`)
  const { page } = await openMail(inbox, { headers: [`Cc: ${copies.join(', ')}`] })
  const shown = copies.slice(0, 3).join(', ')
  const line = page.getByRole('log').getByText(`To ${inbox.address} · Cc ${shown} +2`)
  await line.waitFor()
  expect(await line.getAttribute('title')).toBe(`To ${inbox.address} · Cc ${copies.join(', ')}`)
})
