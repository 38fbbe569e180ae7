import { expect, test } from 'vitest'
import { call, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'
import { openConsole, signIn, violationsOf, writeAsCustomer } from './support/console-browser.ts'
import { useBrowser } from './support/use-browser.ts'

const running = useService()
const browser = useBrowser()

/** A tenant with Grace, who has written, and Ada, who has not, and a console that is signed in and shows its customers. */
async function openCustomers() {
  const { token, email } = await registerTenant(running.url)
  await writeAsCustomer(running.url, token, { subject: 'A broken lamp', content: 'It sparks' })
  const body = { firstName: 'Ada', lastName: 'Lovelace', company: 'Engines', tier: 'gold' }
  const made = await call(running.url, { method: 'POST', path: '/api/v1/customers', token, body })
  const { page, complaints } = await openConsole(browser, `${running.url}/console/`)
  await signIn(page, email)
  await page.getByRole('link', { name: 'Customers' }).click()
  await page.getByRole('table').waitFor()
  const names = () => page.getByRole('row').getByRole('link').allTextContents()
  const ada = async () =>
    (await call(running.url, { path: `/api/v1/customers/${made.body.data._id}`, token })).body.data
  return { page, complaints, names, ada }
}

test('the table of customers is narrowed, sorted, and tags many at once', async () => {
  const { page, complaints, names, ada } = await openCustomers()
  expect(await names()).toEqual(['Ada Lovelace', 'Grace'])
  await page.getByLabel('Order').selectOption({ label: 'Latest contact first' })
  await expect.poll(names).toEqual(['Grace', 'Ada Lovelace'])
  await page.getByLabel('Company').first().fill('ENGINES')
  await expect.poll(names).toEqual(['Ada Lovelace'])
  await page.getByRole('checkbox', { name: 'Choose Ada Lovelace' }).check()
  const bar = page.getByRole('form', { name: 'Tags of the chosen customers' })
  await bar.getByRole('textbox', { name: 'Tag' }).fill('vip')
  await bar.getByRole('button', { name: 'Add the tag' }).click()
  await page.getByRole('cell', { name: 'vip' }).waitFor()
  expect((await ada()).tags).toEqual(['vip'])
  expect(await violationsOf(page)).toEqual([])
  expect(complaints).toEqual([])
})

test('one customer has properties, conversations, notes that are written and changed, and a past', async () => {
  const { page, complaints } = await openCustomers()
  await page.getByRole('link', { name: 'Grace' }).click()
  await page.getByRole('link', { name: 'A broken lamp' }).waitFor()
  await page.getByRole('button', { name: 'Notes' }).click()
  const notes = page.getByRole('region', { name: 'Notes' })
  await notes.getByRole('textbox').fill('Prefers <b>letters</b>')
  await page.reload()
  await page.getByRole('button', { name: 'Notes' }).click()
  // A text that is not stored yet outlives a reload.
  await notes.getByRole('button', { name: 'Add the note' }).click()
  await notes.getByRole('article').getByText('Prefers <b>letters</b>').waitFor()
  await notes.getByRole('button', { name: 'Edit' }).click()
  await notes.getByRole('textbox', { name: 'Text of the note' }).fill('Prefers calls')
  await notes.getByRole('button', { name: 'Save' }).click()
  await notes.getByRole('article').getByText('Prefers calls').waitFor()
  expect(await violationsOf(page)).toEqual([])
  await notes.getByRole('button', { name: 'Delete' }).click()
  await notes.getByText('No notes yet.').waitFor()
  await page.getByRole('button', { name: 'Activity' }).click()
  await page.getByRole('region', { name: 'Activity' }).getByText('Added').waitFor()
  await page.getByRole('button', { name: 'Conversations' }).click()
  await page.getByRole('link', { name: 'A broken lamp' }).click()
  await page.getByRole('heading', { name: 'A broken lamp' }).waitFor()
  expect(complaints).toEqual([])
})
