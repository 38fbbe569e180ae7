import { expect, test } from 'vitest'
import { useService } from '../support/use-service.ts'
import { joinAs, openConsole, signIn, violationsOf } from './support/console-browser.ts'
import { openGrace } from './support/open-grace.ts'
import { useBrowser } from './support/use-browser.ts'

const running = useService()
const browser = useBrowser()

/** A console with the conversation of Grace, who was merged into Rear Admiral Hopper since. */
async function openMerged() {
  const opened = await openGrace(browser, running.url)
  const { page, panel, request, customerId: sourceId } = opened
  const target = await request('POST', 'customers', { firstName: 'Rear Admiral', lastName: 'Hopper' })
  const targetId = target._id as string
  await request('POST', `customers/${targetId}/merge`, { sourceId })
  await panel.getByRole('heading', { name: 'Rear Admiral Hopper' }).waitFor()
  const undo = panel.getByRole('button', { name: 'Undo the merge of Grace' })
  await undo.waitFor()
  const dialog = page.getByRole('dialog', { name: 'Undo the merge' })
  return { ...opened, sourceId, targetId, undo, dialog }
}

test('a merge is shown with who and when, and is undone by keys: both customers are there again', async () => {
  const { page, panel, undo, dialog, request, id, sourceId, targetId, complaints } = await openMerged()
  await panel.getByText(/^Grace, by you, /).waitFor()
  expect(await violationsOf(page)).toEqual([])
  await undo.focus()
  await page.keyboard.press('Enter')
  await dialog.getByText('“Grace” exists again').waitFor()
  await dialog.getByText('This is possible until').waitFor()
  expect(await violationsOf(page)).toEqual([])
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByText('Both customers exist again').waitFor()
  await dialog.waitFor({ state: 'detached' })
  // The conversation went back with its customer.
  await panel.getByRole('heading', { name: 'Grace' }).waitFor()
  await undo.waitFor({ state: 'detached' })
  expect((await request('GET', `conversations/${id}`)).customerId._id).toBe(sourceId)
  expect((await request('GET', `customers/${targetId}`)).profile).toMatchObject({ email: null })
  const { inboxId } = await request('GET', `conversations/${id}`)
  const other = await request('POST', 'conversations', { subject: 'Ships', customerId: targetId, inboxId })
  await page.goto(`${running.url}/console/inbox/open/-/-/${other._id}`)
  await panel.getByRole('heading', { name: 'Rear Admiral Hopper' }).waitFor()
  expect(await panel.getByRole('heading', { name: 'Merged' }).count()).toBe(0)
  expect(complaints).toEqual([])
})

test('a dialog names what did not go back, with a way to each conversation', async () => {
  const { page, undo, dialog, request, id, targetId } = await openMerged()
  const third = (await request('POST', 'customers', { firstName: 'Third' }))._id as string
  await request('PUT', `customers/${targetId}`, { email: 'admiral@navy.example' })
  await request('PUT', `conversations/${id}`, { customerId: third })
  const { inboxId } = await request('GET', `conversations/${id}`)
  const own = await request('POST', 'conversations', { subject: 'Ships', customerId: targetId, inboxId })
  await page.goto(`${running.url}/console/inbox/open/-/-/${own._id}`)
  await undo.click()
  await dialog.getByRole('button', { name: 'Undo the merge' }).click()
  await dialog.getByText('“Grace” and “Rear Admiral Hopper” both exist again.').waitFor()
  expect(await dialog.getByRole('listitem').allTextContents()).toEqual(['E-mail', 'A lamp'])
  expect(await violationsOf(page)).toEqual([])
  await dialog.getByRole('link', { name: 'A lamp' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(page.url()).toContain(id)
})

test('of two tabs one undoes the merge, and the other one says why it cannot', async () => {
  const { page, undo, dialog, address } = await openMerged()
  const second = await page.context().newPage()
  await second.goto(address)
  await second.getByRole('button', { name: 'Undo the merge of Grace' }).click()
  await undo.click()
  await dialog.getByRole('button', { name: 'Undo the merge' }).click()
  await page.getByText('Both customers exist again').waitFor()
  const late = second.getByRole('dialog', { name: 'Undo the merge' })
  await second.getByRole('complementary').getByRole('heading', { name: 'Grace' }).waitFor()
  await late.getByRole('button', { name: 'Undo the merge' }).click()
  await late.getByRole('alert').getByText('This merge cannot be undone any more').waitFor()
  expect(await violationsOf(second)).toEqual([])
  await second.keyboard.press('Escape')
  await late.waitFor({ state: 'detached' })
})

test('with dark colours and on a screen of 360 pixels nothing is cut off', async () => {
  const { page, panel, undo, dialog } = await openMerged()
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 360, height: 740 })
  await page.getByRole('button', { name: 'Customer' }).click()
  await panel.getByRole('heading', { name: 'Merged' }).waitFor()
  const overflow = () =>
    page.evaluate(
      `[document.scrollingElement, ...document.querySelectorAll('.customer-pane, .dialog-body')].filter((one) => one.scrollWidth > one.clientWidth).length`,
    )
  expect([await violationsOf(page), await overflow()]).toEqual([[], 0])
  await undo.click()
  await dialog.getByText('“Grace” exists again').waitFor()
  expect([await violationsOf(page), await overflow()]).toEqual([[], 0])
})

test('a viewer is offered no undo', async () => {
  const { page, token, address } = await openMerged()
  await page.close()
  const viewer = await openConsole(browser, address)
  await signIn(viewer.page, await joinAs(running.url, token, 'viewer'))
  const panel = viewer.page.getByRole('complementary', { name: 'Customer' })
  await panel.getByRole('heading', { name: 'Rear Admiral Hopper' }).waitFor()
  await panel.getByRole('heading', { name: 'Other conversations' }).waitFor()
  expect(await panel.getByRole('button', { name: 'Undo' }).count()).toBe(0)
})
