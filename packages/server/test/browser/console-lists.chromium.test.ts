import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { call, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'
import { openConsole, signIn, violationsOf } from './support/console-browser.ts'
import { useBrowser } from './support/use-browser.ts'

const running = useService()
const browser = useBrowser()

type Fields = { subject: string; priority?: string; channel?: string; labels?: string[] }

/** A tenant with conversations in the order in which they are made, and a console that shows them. */
async function openList(conversations: readonly Fields[]) {
  const { token, email } = await registerTenant(running.url)
  const send = async (method: 'POST' | 'PUT', path: string, body: object) => {
    const response = await call(running.url, { method, path: `/api/v1/${path}`, token, body })
    if (response.status > 201) throw new Error(JSON.stringify(response.body))
    return response.body.data
  }
  const inboxId = (await call(running.url, { path: '/api/v1/inboxes', token })).body.data[0]._id as string
  const customerId = (await send('POST', 'customers', { firstName: 'Grace' }))._id as string
  const ids: Record<string, string> = {}
  const add = async (fields: Fields) => {
    ids[fields.subject] = (await send('POST', 'conversations', { ...fields, inboxId, customerId }))._id
  }
  for (const fields of conversations) await add(fields)
  const { page, complaints } = await openConsole(browser, `${running.url}/console/`)
  await signIn(page, email)
  await page.locator('.row').first().waitFor()
  const change = (subject: string, fields: object) => send('PUT', `conversations/${ids[subject]}`, fields)
  const stored = async (subject: string) =>
    (await call(running.url, { path: `/api/v1/conversations/${ids[subject]}`, token })).body.data
  const say = (subject: string, body: object, messageId?: string) =>
    messageId
      ? send('PUT', `messages/${messageId}`, body)
      : send('POST', `conversations/${ids[subject]}/messages`, body)
  return { page, complaints, add, change, stored, say }
}

/** Subjects of the rows, from above. */
const subjectsOf = (page: Page): Promise<string[]> =>
  page.evaluate(
    `[...document.querySelectorAll('.row')]
      .sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)
      .map((row) => row.querySelector('.row-subject').firstChild.textContent.trim())`,
  )

async function choose(page: Page, choices: Record<string, string>) {
  await page.keyboard.press('f')
  const dialog = page.getByRole('dialog', { name: 'Filter and order' })
  for (const [label, option] of Object.entries(choices))
    await dialog.getByRole('combobox', { name: label, exact: true }).selectOption({ label: option })
  return dialog
}

test('a list is narrowed by priority, channel and label, changes live, and its address shows the same list', async () => {
  const { page, complaints, add, change } = await openList([
    { subject: 'A chat', channel: 'chat', priority: 'urgent', labels: ['Returns'] },
    { subject: 'A low mail', channel: 'email', priority: 'low', labels: ['returns'] },
    { subject: 'An urgent mail', channel: 'email', priority: 'urgent', labels: ['returns'] },
  ])
  await expect.poll(() => subjectsOf(page)).toEqual(['An urgent mail', 'A low mail', 'A chat'])
  const dialog = await choose(page, { Priority: 'Urgent' })
  await expect.poll(() => subjectsOf(page)).toEqual(['An urgent mail', 'A chat'])
  expect(await violationsOf(page)).toEqual([])
  await dialog.getByRole('combobox', { name: 'Channel' }).selectOption({ label: 'E-mail' })
  await dialog.getByRole('combobox', { name: 'Label' }).fill('RETURNS')
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'hidden' })
  await expect.poll(() => subjectsOf(page)).toEqual(['An urgent mail'])
  await page.getByText('Filtered: Urgent · E-mail · RETURNS').waitFor()
  // Each is moved into the list, or out of it, by its event.
  await add({ subject: 'Another one', channel: 'email', priority: 'urgent', labels: ['Returns'] })
  await change('A low mail', { priority: 'urgent' })
  await expect.poll(() => subjectsOf(page)).toEqual(['Another one', 'An urgent mail', 'A low mail'])
  await change('An urgent mail', { priority: 'medium' })
  await expect.poll(() => subjectsOf(page)).toEqual(['Another one', 'A low mail'])
  await page.reload()
  await expect.poll(() => subjectsOf(page)).toEqual(['Another one', 'A low mail'])
  await page.getByRole('button', { name: 'Show all' }).click()
  await expect.poll(async () => (await subjectsOf(page)).length).toBe(4)
  expect(complaints).toEqual([])
})

test('a list stands in the chosen order, and a change moves its row there', async () => {
  const { page, add, change } = await openList([
    { subject: 'First', priority: 'low' },
    { subject: 'Second', priority: 'urgent' },
    { subject: 'Third', priority: 'high' },
  ])
  await choose(page, { Order: 'Urgent first' })
  await page.keyboard.press('Escape')
  await expect.poll(() => subjectsOf(page)).toEqual(['Second', 'Third', 'First'])
  // The first field has the focus when the dialog opens, so its arrow keys change the order.
  await page.keyboard.press('f')
  await page.getByRole('combobox', { name: 'Order' }).waitFor()
  await page.keyboard.press('ArrowUp')
  await page.getByText('Filtered: Newest first').waitFor()
  await page.keyboard.press('ArrowDown')
  await page.getByText('Filtered: Urgent first').waitFor()
  await page.keyboard.press('Escape')
  await change('First', { priority: 'urgent' })
  await add({ subject: 'Fourth', priority: 'low' })
  await expect.poll(() => subjectsOf(page)).toEqual(['Second', 'First', 'Third', 'Fourth'])
  // The service has the same order, also for two of one priority.
  await page.reload()
  await expect.poll(() => subjectsOf(page)).toEqual(['Second', 'First', 'Third', 'Fourth'])
  await choose(page, { Order: 'Oldest first' })
  await page.keyboard.press('Escape')
  await expect.poll(() => subjectsOf(page)).toEqual(['First', 'Second', 'Third', 'Fourth'])
  await change('Second', { subject: 'Second, changed' })
  await expect.poll(() => subjectsOf(page)).toEqual(['First', 'Second, changed', 'Third', 'Fourth'])
})

test('a filter with a value that the service refuses says so, and all can be shown again', async () => {
  const { page } = await openList([{ subject: 'A lamp' }])
  await page.goto(`${running.url}/console/inbox/open~assignedTo.usr_nobody~priority.nonsense/-/-`)
  await page.getByRole('button', { name: 'Show all' }).click()
  await expect.poll(() => subjectsOf(page)).toEqual(['A lamp'])
})

test('keys alone set the priority and mark a conversation as pending, and each can be undone', async () => {
  const { page, stored } = await openList([{ subject: 'A lamp' }])
  await page.keyboard.press('j')
  await page.getByRole('heading', { name: 'A lamp' }).waitFor()
  await page.keyboard.press('y')
  await page.getByRole('dialog', { name: 'Priority' }).waitFor()
  expect(await violationsOf(page)).toEqual([])
  await page.keyboard.type('urg')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Undo' }).waitFor()
  await expect.poll(async () => (await stored('A lamp')).priority).toBe('urgent')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(async () => (await stored('A lamp')).priority).toBe('medium')
  await page.keyboard.press('w')
  await expect.poll(async () => (await stored('A lamp')).status).toBe('pending')
  await page.getByRole('link', { name: /^Pending.*1 conversation/ }).waitFor()
})

test('Waiting shows who waits longest first, with what was said last, and a reply takes the row out', async () => {
  const { page, complaints, say } = await openList([
    { subject: 'First' },
    { subject: 'Second' },
    { subject: 'Silent' },
  ])
  await say('First', { content: 'Where is my order?', direction: 'inbound' })
  await say('Second', { content: 'Is it **blue**?', contentType: 'markdown', direction: 'inbound' })
  await page.keyboard.press('g')
  await page.keyboard.press('w')
  await page.getByRole('link', { name: /^Waiting 2 conversations/ }).waitFor()
  await expect.poll(() => subjectsOf(page)).toEqual(['First', 'Second'])
  await page.getByText('– Where is my order?').waitFor()
  await page.getByText('– Is it blue?').waitFor()
  expect(await page.locator('.row-waiting').allTextContents()).toEqual([
    expect.stringMatching(/^Waiting for /),
    expect.stringMatching(/^Waiting for /),
  ])
  expect(await violationsOf(page)).toEqual([])
  const { _id } = await say('First', { content: 'On its way.' })
  await expect.poll(() => subjectsOf(page)).toEqual(['Second'])
  // A reply that fails ends no wait.
  await say('First', { status: 'failed' }, _id)
  await expect.poll(() => subjectsOf(page)).toEqual(['First', 'Second'])
  await page.getByText('↩ On its way.').waitFor()
  // The longest wait also stands first where there is work to do.
  await page.keyboard.press('g')
  await page.keyboard.press('u')
  await expect.poll(() => subjectsOf(page)).toEqual(['First', 'Second', 'Silent'])
  expect(complaints).toEqual([])
})
