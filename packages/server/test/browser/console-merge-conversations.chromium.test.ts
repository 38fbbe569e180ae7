import { expect, test } from 'vitest'
import { useService } from '../support/use-service.ts'
import { violationsOf } from './support/console-browser.ts'
import { openGrace } from './support/open-grace.ts'
import { useBrowser } from './support/use-browser.ts'

const running = useService()
const browser = useBrowser()

/** A console with a conversation of Grace, who has a second one. */
async function openTwo() {
  const opened = await openGrace(browser, running.url)
  const { request, customerId, id, page } = opened
  const { inboxId } = await request('GET', `conversations/${id}`)
  const other = await request('POST', 'conversations', { subject: 'Ships', customerId, inboxId })
  const targetId = other._id as string
  const content = 'A ship is late.'
  await request('POST', `conversations/${targetId}/messages`, { content, direction: 'inbound' })
  const dialog = page.getByRole('dialog', { name: 'Merge into…' })
  const open = async () => {
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog', { name: 'Commands' }).getByRole('combobox').fill('Merge into')
    await page.keyboard.press('Enter')
    await dialog.getByRole('option', { name: 'Ships' }).waitFor()
  }
  return { ...opened, targetId, dialog, open }
}

test('a conversation is merged into another one of the customer by keys, is shown there, and is taken back in its thread', async () => {
  const { page, request, id, targetId, dialog, open, address, complaints } = await openTwo()
  await open()
  expect(await violationsOf(page)).toEqual([])
  await page.keyboard.press('Enter')
  await dialog.getByText('A ship is late.').waitFor()
  await dialog.getByText('It is broken.').waitFor()
  expect(await violationsOf(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Merge' }).click()
  await page.getByText('The conversations were merged').waitFor()
  await page.waitForURL(new RegExp(targetId))
  const thread = page.getByRole('log')
  for (const text of ['A ship is late.', 'It is broken.']) await thread.getByText(text).waitFor()
  await thread.getByText('Merged another conversation into this one').waitFor()
  expect((await request('GET', `conversations/${id}`)).mergedInto).toBe(targetId)
  await page.goto(address)
  await page.waitForURL(new RegExp(targetId))
  await thread.getByText('It is broken.').waitFor()
  expect(await violationsOf(page)).toEqual([])
  await thread.getByRole('button', { name: 'Undo' }).click()
  await thread.getByText('It is broken.').waitFor({ state: 'detached' })
  await thread.getByText('Undid the merge of a conversation').waitFor()
  expect((await request('GET', `conversations/${id}`)).mergedInto).toBe(null)
  expect(complaints).toEqual([])
})

test('the toast undoes the merge, and a refusal says why', async () => {
  const { page, request, id, dialog, open } = await openTwo()
  await open()
  await page.keyboard.press('Enter')
  const sendAt = new Date(Date.now() + 86_400_000).toISOString()
  await request('PUT', `conversations/${id}/draft`, { content: 'Later', sendAt })
  await dialog.getByRole('button', { name: 'Merge' }).click()
  await dialog.getByRole('alert').getByText('A planned reply waits to be sent here').waitFor()
  expect(await violationsOf(page)).toEqual([])
  await request('PUT', `conversations/${id}/draft`, { content: 'Later', sendAt: null })
  await dialog.getByRole('button', { name: 'Merge' }).click()
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
  await page.getByText('As it was before').waitFor()
  expect((await request('GET', `conversations/${id}`)).mergedInto).toBe(null)
})
