import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { call, registerTenant } from '../support/call.ts'
import { comeDue } from '../support/come-due.ts'
import { useService } from '../support/use-service.ts'
import { openConsole, signIn, writeAsCustomer } from './support/console-browser.ts'
import { useBrowser } from './support/use-browser.ts'

// Texts that have left the field have a home until the service has them.

const running = useService()
const browser = useBrowser()

const question = 'The lamp does not switch on.'
const fieldOf = (page: Page) => page.getByRole('textbox', { name: 'New message' })

async function openConversation() {
  const tenant = await registerTenant(running.url)
  const id = await writeAsCustomer(running.url, tenant.token, { subject: 'A lamp', content: question })
  const { page } = await openConsole(browser, `${running.url}/console/inbox/open/-/-/${id}`)
  await signIn(page, tenant.email)
  await page.getByRole('log').getByText(question).waitFor()
  const contents = async () => {
    const path = `/api/v1/conversations/${id}/messages`
    const { body } = await call(running.url, { path, token: tenant.token })
    return body.data.map(({ content }: { content: string }) => content)
  }
  return { page, contents, tenant, id }
}

/** Sends a text without a connection, and waits until the page says that it is not sent. */
async function sendWithoutConnection(page: Page, text: string) {
  await page.context().setOffline(true)
  await fieldOf(page).fill(text)
  await page.keyboard.press('Control+Enter')
  await page.getByRole('log').getByText('Not sent.').waitFor({ timeout: 60_000 })
}

test('a reply that was not sent without a connection survives a reload and is sent by itself, once', async () => {
  const { page, contents } = await openConversation()
  await sendWithoutConnection(page, 'A long careful reply')
  await page.getByRole('navigation', { name: 'Views' }).getByText('Not sent').waitFor()
  await page.getByRole('list').getByText('Not sent').first().waitFor()
  await page.route('**/api/v1/conversations/*/messages', (route) =>
    route.request().method() === 'POST' ? route.abort('connectionreset') : route.fallback(),
  )
  await page.context().setOffline(false)
  await page.reload()
  await page.getByRole('log').getByText('A long careful reply').waitFor()
  await page.unroute('**/api/v1/conversations/*/messages')
  await page.reload()
  await expect.poll(contents).toEqual([question, 'A long careful reply'])
  await page.getByText('Not sent').first().waitFor({ state: 'hidden' })
  await page.reload()
  await page.getByRole('log').getByText('A long careful reply').waitFor()
  expect(await contents()).toEqual([question, 'A long careful reply'])
})

test('a reply is sent by itself when the connection is back, without a reload', async () => {
  const { page, contents } = await openConversation()
  await sendWithoutConnection(page, 'Sent later by itself')
  await page.context().setOffline(false)
  await expect.poll(contents).toEqual([question, 'Sent later by itself'])
})

test('a new conversation keeps its text over Escape, a press beside it and a reload', async () => {
  const { page } = await openConversation()
  const dialog = page.getByRole('dialog', { name: 'New conversation' })
  await page.keyboard.press('c')
  await dialog.getByRole('combobox').fill('grace')
  await dialog.getByRole('option', { name: /Grace/ }).first().click()
  const message = dialog.getByRole('textbox', { name: 'Message' })
  await message.fill('Ten minutes of work')
  const ways = {
    Escape: () => page.keyboard.press('Escape'),
    beside: () => page.mouse.click(15, 450),
    reload: () => page.reload(),
  }
  for (const [way, leave] of Object.entries(ways)) {
    await leave()
    await dialog.waitFor({ state: 'hidden' })
    await page.getByRole('log').getByText(question).waitFor()
    await page.keyboard.press('c')
    await expect.poll(() => message.inputValue(), { message: way }).toBe('Ten minutes of work')
  }
})

test('the view of unsent replies holds those of this browser and those that the service has stopped, with their number in the title', async () => {
  const { page, tenant, id } = await openConversation()
  const path = `/api/v1/conversations/${id}`
  const ask = (method: string, own: string, body: object) =>
    call(running.url, { method, path: `${path}${own}`, token: tenant.token, body })
  const sendAt = new Date(Date.now() + 3_600_000).toISOString()
  const draft = await ask('PUT', '/draft', { content: 'Stopped by the service', sendAt })
  expect(draft.status).toBe(200)
  await ask('POST', '/messages', { content: 'One more question', direction: 'inbound' })
  await comeDue(running.service.storage.forTenant(tenant.tenant._id), draft.body.data._id)
  const views = page.getByRole('navigation', { name: 'Views' })
  const link = views.getByRole('link', { name: 'Not sent' })
  await link.getByText('1').waitFor()
  await expect.poll(() => page.title()).toContain('1 not sent')
  await link.click()
  const list = page.getByRole('list', { name: 'Conversations' })
  const stopped = list.getByRole('link', { name: /Stopped by the service/ })
  await stopped.getByText('Somebody has written before its time').waitFor()
  await stopped.click()
  await page.getByRole('log').getByText(question).waitFor()
  expect(page.url()).toContain('/unsent/')
  await page.context().setOffline(true)
  await fieldOf(page).fill('Kept by this browser')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('log').getByText('Not sent.').waitFor({ timeout: 60_000 })
  await list.getByText('Only this browser has it').waitFor()
})

test('closing a tab asks while a reply has not reached the service, and not otherwise', async () => {
  const { page } = await openConversation()
  const asked: string[] = []
  page.on('dialog', (dialog) => {
    asked.push(dialog.type())
    void dialog.dismiss()
  })
  await sendWithoutConnection(page, 'Nearly lost')
  await page.close({ runBeforeUnload: true })
  await expect.poll(() => asked).toEqual(['beforeunload'])
  await page.context().setOffline(false)
  await page.getByRole('log').getByText('Not sent.').waitFor({ state: 'hidden', timeout: 60_000 })
  const asks = () =>
    page.evaluate<boolean>(`!window.dispatchEvent(new Event('beforeunload', { cancelable: true }))`)
  await expect.poll(asks).toBe(false)
})

test('the changes of a customer keep their text over Escape and a press beside them, until they are saved', async () => {
  const { page } = await openConversation()
  const dialog = page.getByRole('dialog', { name: 'Edit the customer' })
  const company = dialog.getByRole('textbox', { name: 'Company' })
  const open = () => page.getByRole('complementary').getByRole('button', { name: 'Edit' }).click()
  await open()
  await company.fill('Analytical Engines')
  const ways = {
    Escape: () => page.keyboard.press('Escape'),
    beside: () => page.mouse.click(15, 450),
  }
  for (const [way, leave] of Object.entries(ways)) {
    await leave()
    await dialog.waitFor({ state: 'hidden' })
    await open()
    await expect.poll(() => company.inputValue(), { message: way }).toBe('Analytical Engines')
  }
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await open()
  await expect.poll(() => company.inputValue()).toBe('Analytical Engines')
  await company.fill('Another')
  await company.fill('Analytical Engines')
  await page.keyboard.press('Escape')
  const kept = () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes(':form:')))
  expect(await kept()).toEqual([])
})
