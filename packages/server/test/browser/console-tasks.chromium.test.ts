import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { addColleague } from '../support/add-colleague.ts'
import { call, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'
import { openConsole, signIn, writeAsCustomer } from './support/console-browser.ts'
import { useBrowser } from './support/use-browser.ts'

// Five tasks of a day by the tree that a screen reader has: each part is reached by the Tab key, and found by its role and name.

const running = useService()
const browser = useBrowser()

type Role = Parameters<Page['getByRole']>[0]

/** More stops than a screen has. */
const stopsMax = 80

/** Goes on with the Tab key until the part with this role and name has the focus. */
async function tabTo(page: Page, role: Role, name: string, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  const wanted = page.getByRole(role, { name, exact: true })
  await wanted.first().waitFor()
  for (let stops = 0; stops < stopsMax; stops++) {
    if ((await wanted.and(page.locator(':focus')).count()) === 1) return
    await page.keyboard.press(key)
  }
  throw new Error(`No Tab leads to the ${role} “${name}”`)
}

async function openInbox() {
  const owner = await registerTenant(running.url)
  await addColleague(running, { tenantId: owner.tenant._id, role: 'agent' })
  const texts = { subject: 'A broken lamp', content: 'The lamp does not switch on.' }
  const id = await writeAsCustomer(running.url, owner.token, texts)
  const { page, complaints } = await openConsole(browser, `${running.url}/console/inbox/open`)
  await signIn(page, owner.email)
  await page.getByRole('link', { name: /A broken lamp/ }).waitFor()
  const ask = async (path: string) =>
    (await call(running.url, { path: `/api/v1/${path}`, token: owner.token })).body.data
  return { page, complaints, ask, id }
}

async function openFirst(page: Page): Promise<void> {
  await page.keyboard.press('j')
  await page.getByRole('textbox', { name: 'New message' }).waitFor()
  await page.getByRole('log').getByText('The lamp does not switch on.').waitFor()
}

test('a customer is found by name, and their conversation opened', async () => {
  const { page, complaints } = await openInbox()
  await page.keyboard.press('/')
  await page.getByRole('dialog', { name: 'Search' }).getByRole('combobox').waitFor()
  await page.keyboard.type('grace')
  const hits = page.getByRole('group', { name: 'Customers' }).getByRole('option', { name: /Grace/ })
  await hits.first().waitFor()
  await expect.poll(() => hits.first().getAttribute('aria-selected')).toBe('true')
  await page.keyboard.press('Enter')
  const field = page.getByRole('dialog', { name: 'Search' }).getByRole('combobox')
  await expect.poll(() => field.inputValue()).not.toBe('grace')
  const found = page
    .getByRole('group', { name: 'Conversations' })
    .getByRole('option', { name: /A broken lamp/ })
  await found.waitFor()
  await expect
    .poll(async () => {
      const isChosen = (await found.getAttribute('aria-selected')) === 'true'
      if (!isChosen) await page.keyboard.press('ArrowDown')
      return isChosen
    })
    .toBe(true)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'A broken lamp' }).waitFor()
  expect(complaints).toEqual([])
})

test('a reply is written and sent', async () => {
  const { page, ask, id } = await openInbox()
  await openFirst(page)
  await tabTo(page, 'textbox', 'New message')
  await page.keyboard.type('Please change the bulb')
  await tabTo(page, 'button', 'Send')
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'Waiting to be sent' }).waitFor()
  await tabTo(page, 'button', 'Send now', 'Shift+Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('log').getByText('Please change the bulb').waitFor()
  await expect
    .poll(async () => (await ask(`conversations/${id}/messages`)).at(-1).content)
    .toBe('Please change the bulb')
})

test('a conversation is assigned to a colleague', async () => {
  const { page, ask, id } = await openInbox()
  await openFirst(page)
  await tabTo(page, 'button', 'Assign')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByRole('option', { name: /agent/ }).waitFor()
  await page.keyboard.type('agent')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await ask(`conversations/${id}`)).assignedTo?.firstName).toBe('agent')
})

test('a conversation is closed, and the undo opens it again', async () => {
  const { page, ask, id } = await openInbox()
  await openFirst(page)
  await tabTo(page, 'button', 'Close')
  await page.keyboard.press('Enter')
  const status = async () => (await ask(`conversations/${id}`)).status
  await expect.poll(status).toBe('closed')
  await page.getByRole('status').getByText('Closed').waitFor()
  await tabTo(page, 'button', 'Undo')
  await page.keyboard.press('Enter')
  await expect.poll(status).toBe('open')
})

test('a canned reply is made, and inserted', async () => {
  const { page, ask } = await openInbox()
  await openFirst(page)
  await tabTo(page, 'button', 'Insert a canned reply')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Insert a canned reply' }).waitFor()
  const fields = { Shortcut: 'bulb', Title: 'The bulb', Text: 'Please change the bulb' }
  for (const [name, text] of Object.entries(fields)) {
    await tabTo(page, 'textbox', name)
    await page.keyboard.type(text)
  }
  await tabTo(page, 'button', 'Save')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await ask('canned-replies')).length).toBe(1)
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await tabTo(page, 'textbox', 'New message')
  await page.keyboard.press('/')
  await page.getByRole('option', { name: '/bulb The bulb' }).waitFor()
  await page.keyboard.press('Enter')
  await expect
    .poll(() => page.getByRole('textbox', { name: 'New message' }).inputValue())
    .toBe('Please change the bulb')
})
