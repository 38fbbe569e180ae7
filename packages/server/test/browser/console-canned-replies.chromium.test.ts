import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { call, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'
import { openConsole, signIn, violationsOf } from './support/console-browser.ts'
import { useBrowser } from './support/use-browser.ts'

const running = useService()
const browser = useBrowser()

const fieldOf = (page: Page) => page.getByRole('textbox', { name: 'New message' })
const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Insert a canned reply' })

/** A conversation of Ada about a lamp, with these canned replies. */
async function openWith(replies: readonly object[]) {
  const { token, email } = await registerTenant(running.url)
  const ask = async (method: string, path: string, body?: object) => {
    const response = await call(running.url, { method, path: `/api/v1${path}`, token, body })
    expect(response.body.error).toBeUndefined()
    return response.body.data
  }
  const [{ _id: inboxId }] = await ask('GET', '/inboxes')
  const { _id: customerId } = await ask('POST', '/customers', { firstName: 'Ada' })
  const { _id } = await ask('POST', '/conversations', { subject: 'Lamp', inboxId, customerId })
  await ask('POST', `/conversations/${_id}/messages`, { content: 'It is broken.', direction: 'inbound' })
  for (const reply of replies) await ask('POST', '/canned-replies', reply)
  const { page } = await openConsole(browser, `${running.url}/console/inbox/open/-/-/${_id}`)
  await signIn(page, email)
  await page.getByRole('log').getByText('It is broken.').waitFor()
  const contents = async () =>
    (await ask('GET', `/conversations/${_id}/messages`)).map(({ content }: { content: string }) => content)
  return { page, contents }
}

const repair = {
  shortcut: 'repair',
  title: 'It is repaired',
  content: 'Hello {{customer.firstName}}, we repair your {{conversation.subject}}.',
}
const sorry = { shortcut: 'sorry', title: 'An excuse', content: 'We are sorry' }

test('a slash in an empty message and the shortcut insert a canned reply with the customer’s name, and it is sent', async () => {
  const { page, contents } = await openWith([repair, sorry])
  await fieldOf(page).focus()
  await page.keyboard.press('/')
  await dialogOf(page).getByRole('option').first().waitFor()
  expect(await dialogOf(page).getByRole('option').allTextContents()).toEqual([
    '/repair It is repaired',
    '/sorry An excuse',
  ])
  expect(await violationsOf(page, 'dialog')).toEqual([])
  await page.keyboard.type('rep')
  await page.keyboard.press('Enter')
  const filled = 'Hello Ada, we repair your Lamp.'
  await expect.poll(() => fieldOf(page).inputValue()).toBe(filled)
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect.poll(contents, { timeout: 20_000 }).toContain(filled)
})

test('the button inserts a canned reply at the cursor, and a slash in a text is a slash', async () => {
  const { page } = await openWith([sorry])
  await fieldOf(page).fill('Dear Ada,  and/or')
  await fieldOf(page).press('/')
  await expect.poll(() => fieldOf(page).inputValue()).toBe('Dear Ada,  and/or/')
  await fieldOf(page).press('Home')
  for (let moved = 0; moved < 10; moved++) await fieldOf(page).press('ArrowRight')
  await page.getByRole('button', { name: 'Insert a canned reply' }).click()
  await dialogOf(page).getByRole('option', { name: '/sorry An excuse' }).click()
  await expect.poll(() => fieldOf(page).inputValue()).toBe('Dear Ada, We are sorry and/or/')
})

test('the first canned reply of a team is made from the text of a message, and inserted into the next', async () => {
  const { page } = await openWith([])
  await fieldOf(page).fill('Thank you!')
  await page.getByRole('button', { name: 'Insert a canned reply' }).click()
  await dialogOf(page).getByText('There are no canned replies for this inbox yet.').waitFor()
  expect(await dialogOf(page).getByLabel('Text').inputValue()).toBe('Thank you!')
  await dialogOf(page).getByLabel('Shortcut').fill('thanks')
  await dialogOf(page).getByLabel('Title').fill('A thank-you')
  expect(await violationsOf(page, 'dialog')).toEqual([])
  await page.keyboard.press('Escape')
  // The form keeps its fields.
  await page.getByRole('button', { name: 'Insert a canned reply' }).click()
  await dialogOf(page).getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved: /thanks').waitFor()
  await fieldOf(page).fill('')
  await fieldOf(page).press('/')
  await dialogOf(page).getByRole('option', { name: '/thanks A thank-you' }).click()
  await expect.poll(() => fieldOf(page).inputValue()).toBe('Thank you!')
})

test('a shortcut that the team has already is refused in the form, and another one is saved', async () => {
  const { page } = await openWith([sorry])
  await fieldOf(page).press('/')
  await dialogOf(page).getByRole('button', { name: 'New canned reply' }).click()
  await dialogOf(page).getByLabel('Shortcut').fill('sorry')
  await dialogOf(page).getByLabel('Title').fill('Another one')
  await dialogOf(page).getByLabel('Text').fill('Sorry again')
  await dialogOf(page).getByRole('button', { name: 'Save' }).click()
  await dialogOf(page).getByRole('alert').waitFor()
  await dialogOf(page).getByLabel('Shortcut').fill('again')
  await dialogOf(page).getByLabel('For the whole team').uncheck()
  await dialogOf(page).getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved: /again').waitFor()
})

test('a canned reply is changed, keeps what was typed when the dialog is closed, and is deleted by a second press', async () => {
  const { page } = await openWith([repair, sorry])
  const choose = async (name: string) => {
    await page.getByRole('button', { name: 'Insert a canned reply' }).click()
    await dialogOf(page).getByRole('button', { name: 'Change or delete one' }).click()
    await dialogOf(page).getByText('Choose the canned reply to change').waitFor()
    await dialogOf(page).getByRole('option', { name }).click()
  }
  await choose('/sorry An excuse')
  await dialogOf(page).getByLabel('Text').fill('We are very sorry')
  expect(await violationsOf(page, 'dialog')).toEqual([])
  await page.keyboard.press('Escape')
  await choose('/sorry An excuse')
  expect(await dialogOf(page).getByLabel('Text').inputValue()).toBe('We are very sorry')
  await dialogOf(page).getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved: /sorry').waitFor()
  await fieldOf(page).press('/')
  await dialogOf(page).getByRole('option', { name: '/sorry An excuse' }).click()
  await expect.poll(() => fieldOf(page).inputValue()).toBe('We are very sorry')

  await choose('/repair It is repaired')
  await dialogOf(page).getByRole('button', { name: 'Delete' }).click()
  await dialogOf(page).getByRole('button', { name: 'Delete for the whole team' }).click()
  await page.getByText('Deleted: /repair').waitFor()
  await page.getByRole('button', { name: 'Insert a canned reply' }).click()
  await dialogOf(page).getByRole('option').first().waitFor()
  expect(await dialogOf(page).getByRole('option').allTextContents()).toEqual(['/sorry An excuse'])
})
