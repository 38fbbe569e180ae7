import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { useService } from '../support/use-service.ts'
import { joinAs, openConsole, signIn, violationsOf } from './support/console-browser.ts'
import { openGrace } from './support/open-grace.ts'
import { useBrowser } from './support/use-browser.ts'

const running = useService()
const browser = useBrowser()

/** A console with an open conversation of the customer Grace. */
async function openConversation() {
  const opened = await openGrace(browser, running.url)
  const { page } = opened
  /** Opens the palette and runs the command that its text finds. */
  const runCommand = async (text: string) => {
    await page.keyboard.press('Control+k')
    await page.keyboard.type(text)
    await page.keyboard.press('Enter')
  }
  return { ...opened, runCommand }
}

test('the panel shows further and former addresses of a customer', async () => {
  const { page, panel, customerId, request, complaints } = await openConversation()
  const asked: string[] = []
  page.on('request', (sent) => asked.push(sent.url().split('/api/v1/')[1] ?? ''))
  await request('PUT', `customers/${customerId}`, { email: 'grace@navy.example' })
  await panel.getByRole('heading', { name: 'Other addresses' }).waitFor()
  await panel.getByText(/^grace@example\.com, until /).waitFor()
  // Nobody was merged into her, which the same response says.
  expect(asked.filter((path) => path.startsWith('customers/'))).toEqual([`customers/${customerId}`])
  expect(await violationsOf(page)).toEqual([])
  expect(complaints).toEqual([])
  await page.close()
})

test('a customer is edited by keys: what the person changed is stored, and a colleague’s change of another field stays', async () => {
  const { page, panel, customerId, request, complaints } = await openConversation()
  await page.keyboard.press('d')
  const dialog = page.getByRole('dialog', { name: 'Edit the customer' })
  await dialog.getByLabel('First name').waitFor()
  await page.keyboard.press('End')
  await page.keyboard.type(' Brewster')
  await request('PUT', `customers/${customerId}`, { company: 'Navy', customFields: { code: '007', age: 85 } })
  await panel.getByText('Navy').waitFor()
  await dialog.getByLabel('Last name').fill('Hopper')
  await dialog.getByLabel('E-mail').fill('no address')
  await dialog.getByLabel('Tags').fill('vip, navy,')
  await page.keyboard.press('Enter')
  await dialog.getByRole('alert').getByText('email').waitFor()
  expect(await violationsOf(page)).toEqual([])
  await dialog.getByLabel('E-mail').fill('')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The customer was changed').waitFor()
  await panel.getByRole('heading', { name: 'Grace Brewster Hopper' }).waitFor()
  expect(await request('GET', `customers/${customerId}`)).toMatchObject({
    profile: { firstName: 'Grace Brewster', lastName: 'Hopper', email: null, company: 'Navy' },
    tags: ['vip', 'navy'],
    customFields: { code: '007', age: 85 },
  })
  expect(complaints).toEqual([])
})

test('further fields keep the type of their values, and a value that is no JSON is refused before it is sent', async () => {
  const { page, panel, customerId, request } = await openConversation()
  await request('PUT', `customers/${customerId}`, { customFields: { code: '007', age: 85, list: [1] } })
  await panel.getByText('85').waitFor()
  await panel.getByRole('button', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit the customer' })
  await dialog.getByLabel('Value of age').fill('86')
  await dialog.getByLabel('Value of list').fill('[1')
  await dialog.getByRole('button', { name: 'Add a field' }).click()
  await dialog.getByLabel('Name of the field').last().fill('note')
  await dialog.getByLabel('Value of note').fill('calls at night')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('The value of list is no JSON.').waitFor()
  await dialog.getByRole('button', { name: 'Remove list' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'hidden' })
  expect((await request('GET', `customers/${customerId}`)).customFields).toEqual({
    code: '007',
    age: 86,
    note: 'calls at night',
  })
})

test('two customers are compared and merged, and the conversation of both shows the one who stays', async () => {
  const { page, panel, id, customerId, request, runCommand } = await openConversation()
  const other = { firstName: 'Rear Admiral', lastName: 'Hopper', company: 'Navy', phone: '+1 555 0100' }
  const otherId = (await request('POST', 'customers', other))._id as string
  await runCommand('merge with')
  const dialog = page.getByRole('dialog', { name: 'Merge with another customer' })
  await page.keyboard.type('admiral')
  await dialog.getByRole('option', { name: /Rear Admiral/ }).waitFor()
  await page.keyboard.press('Enter')
  await dialog.getByText('“Grace” stays, and “Rear Admiral Hopper” is deleted.').waitFor()
  await dialog.getByRole('row', { name: /Conversations 1 0/ }).waitFor()
  expect(await violationsOf(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Keep the other one' }).click()
  await dialog.getByText('“Rear Admiral Hopper” stays, and “Grace” is deleted.').waitFor()
  await dialog.getByRole('row', { name: /Conversations 0 1/ }).waitFor()
  await dialog.getByRole('row', { name: /E-mail grace@example.com grace@example.com/ }).waitFor()
  await dialog.getByRole('button', { name: 'Merge' }).click()
  await page.getByText('The customers were merged').waitFor()
  await panel.getByRole('heading', { name: 'Rear Admiral Hopper' }).waitFor()
  await panel.getByText('grace@example.com').waitFor()
  expect((await request('GET', `conversations/${id}`)).customerId._id).toBe(otherId)
  await expect(request('GET', `customers/${customerId}`)).rejects.toThrow('NOT_FOUND')
})

test('where both customers have a value, the one that stays is chosen by field', async () => {
  const { page, customerId, request, runCommand } = await openConversation()
  await request('POST', 'customers', {
    firstName: 'Rear Admiral',
    email: 'admiral@example.com',
    tier: 'gold',
  })
  await runCommand('merge with')
  const dialog = page.getByRole('dialog', { name: 'Merge with another customer' })
  await page.keyboard.type('admiral')
  await dialog.getByRole('option', { name: /Rear Admiral/ }).waitFor()
  await page.keyboard.press('Enter')
  const row = (name: string) => dialog.getByRole('row', { name: new RegExp(`^${name}`) })
  await row('E-mail').getByRole('radio', { name: 'admiral@example.com' }).check()
  await row('Tier').getByRole('radio', { name: 'gold' }).check()
  expect(await row('E-mail').getByRole('cell').last().textContent()).toBe('admiral@example.com')
  expect(await row('First name').getByRole('radio', { name: 'Grace' }).isChecked()).toBe(true)
  expect(await violationsOf(page, 'dialog')).toEqual([])
  await dialog.getByRole('button', { name: 'Merge' }).click()
  await page.getByText('The customers were merged').waitFor()
  const { profile, tier } = await request('GET', `customers/${customerId}`)
  expect(profile).toMatchObject({ firstName: 'Grace', email: 'admiral@example.com' })
  expect(tier).toBe('gold')
})

test('the data of a customer is downloaded as a file', async () => {
  const { page, customerId, runCommand } = await openConversation()
  await runCommand('export the')
  const dialog = page.getByRole('dialog', { name: 'Export the customer’s data' })
  await dialog.getByRole('button', { name: 'Download as JSON' }).waitFor()
  expect(await violationsOf(page)).toEqual([])
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Download as JSON' }).click(),
  ])
  expect(download.suggestedFilename()).toBe(`${customerId}.json`)
  const content = JSON.parse(await readFile(await download.path(), 'utf8'))
  expect(content.messages).toMatchObject([{ content: 'It is broken.' }])
})

test('a customer is erased after their name was typed, and every tab loses the conversation', async () => {
  const { page, customerId, request, runCommand, id } = await openConversation()
  const second = await page.context().newPage()
  await second.goto(`${running.url}/console/`)
  await second.getByRole('link', { name: /A lamp/ }).waitFor()
  await runCommand('erase the')
  const dialog = page.getByRole('dialog', { name: 'Erase the customer' })
  await dialog.getByText('Erases the customer and 1 conversation with all messages').waitFor()
  const erase = dialog.getByRole('button', { name: 'Erase for good' })
  expect(await erase.isDisabled()).toBe(true)
  await page.keyboard.type('Grac')
  await page.keyboard.press('Enter')
  expect(await erase.isDisabled()).toBe(true)
  expect(await violationsOf(page)).toEqual([])
  await page.keyboard.type('e')
  await page.keyboard.press('Enter')
  await page.getByText('The customer was erased').waitFor()
  for (const tab of [page, second])
    await tab.getByRole('link', { name: /A lamp/ }).waitFor({ state: 'detached' })
  await expect(request('GET', `customers/${customerId}`)).rejects.toThrow('NOT_FOUND')
  await expect(request('GET', `conversations/${id}`)).rejects.toThrow('NOT_FOUND')
})

test('a sender is blocked and unblocked from the panel and the palette, and everybody sees it', async () => {
  const { page, panel, customerId, request, runCommand, complaints } = await openConversation()
  await panel.getByRole('button', { name: 'Block the sender' }).click()
  const dialog = page.getByRole('dialog', { name: 'Block the sender' })
  await dialog.getByText('Mail from grace@example.com is stored and ignored').waitFor()
  expect(await violationsOf(page)).toEqual([])
  expect((await request('GET', `customers/${customerId}`)).blockedAt).toBeNull()
  await dialog.getByRole('button', { name: 'Block the sender' }).click()
  await page.getByText('The sender is blocked').waitFor()
  await panel.getByText('Blocked', { exact: true }).waitFor()
  await dialog.waitFor({ state: 'detached' })
  expect(await violationsOf(page)).toEqual([])
  expect((await request('GET', `customers/${customerId}`)).blockedAt).toEqual(expect.any(String))
  await request('POST', `customers/${customerId}/unblock`)
  await panel.getByRole('button', { name: 'Block the sender' }).waitFor()
  await request('POST', `customers/${customerId}/block`)
  await panel.getByText('Blocked', { exact: true }).waitFor()
  await runCommand('unblock')
  const undo = page.getByRole('dialog', { name: 'Unblock the sender' })
  await undo.getByRole('button', { name: 'Unblock the sender' }).click()
  await panel.getByText('Blocked', { exact: true }).waitFor({ state: 'detached' })
  expect((await request('GET', `customers/${customerId}`)).blockedAt).toBeNull()
  expect(complaints).toEqual([])
})

test('a viewer sees no command that blocks a sender', async () => {
  const { id, token, request, page } = await openConversation()
  await page.close()
  const email = await joinAs(running.url, token, 'viewer')
  const { customerId } = await request('GET', `conversations/${id}`)
  await request('POST', `customers/${customerId._id}/block`)
  const viewer = await openConsole(browser, `${running.url}/console/inbox/open/-/-/${id}`)
  await signIn(viewer.page, email)
  const panel = viewer.page.getByRole('complementary', { name: 'Customer' })
  await panel.getByText('Blocked', { exact: true }).waitFor()
  expect(await panel.getByRole('button').count()).toBe(0)
})
