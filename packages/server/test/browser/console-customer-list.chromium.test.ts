import { expect, onTestFinished, test } from 'vitest'
import { call, registerTenant } from '../support/call.ts'
import { startProxy } from '../support/cuttable-proxy.ts'
import { useService } from '../support/use-service.ts'
import { joinAs, openConsole, signIn, violationsOf, writeAsCustomer } from './support/console-browser.ts'
import { useBrowser } from './support/use-browser.ts'

const running = useService()
const browser = useBrowser()

/** A tenant with Grace, who has written, and Ada, who has not, and a console that is signed in and shows its customers. */
async function openCustomers(origin = running.url) {
  const { token, email } = await registerTenant(running.url)
  await writeAsCustomer(running.url, token, { subject: 'A broken lamp', content: 'It sparks' })
  const body = { firstName: 'Ada', lastName: 'Lovelace', company: 'Engines', tier: 'gold' }
  const made = await call(running.url, { method: 'POST', path: '/api/v1/customers', token, body })
  const { page, complaints } = await openConsole(browser, `${origin}/console/`)
  await signIn(page, email)
  await page.getByRole('link', { name: 'Customers' }).click()
  await page.getByRole('table').waitFor()
  const names = () => page.getByRole('row').getByRole('link').allTextContents()
  const ada = async () =>
    (await call(running.url, { path: `/api/v1/customers/${made.body.data._id}`, token })).body.data
  const path = `/api/v1/customers/${made.body.data._id}`
  /** A change that somebody makes elsewhere. */
  const change = (set: object) => call(running.url, { method: 'PUT', path, token, body: set })
  const note = (content: string) =>
    call(running.url, { method: 'POST', path: `${path}/notes`, token, body: { content } })
  return { page, complaints, names, ada, change, note, token }
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

test('a property is changed in its place: Enter and the next field save it, Escape takes it back', async () => {
  const { page, complaints, ada } = await openCustomers()
  await page.getByRole('link', { name: 'Ada Lovelace' }).click()
  const company = page.getByLabel('Company')
  await expect.poll(() => company.inputValue()).toBe('Engines')
  await company.fill('Looms')
  await company.press('Escape')
  expect(await company.inputValue()).toBe('Engines')
  await company.fill('Looms & Engines')
  await company.press('Enter')
  await expect.poll(async () => (await ada()).profile.company).toBe('Looms & Engines')
  await page.getByLabel('Tags, separated by commas').fill('vip, early')
  await page.getByLabel('Job title').focus()
  await expect.poll(async () => (await ada()).tags).toEqual(['vip', 'early'])
  await page.getByLabel('Tier').selectOption('platinum')
  await expect.poll(async () => (await ada()).tier).toBe('platinum')
  await page.getByLabel('E-mail').fill('no address')
  await page.getByLabel('E-mail').press('Enter')
  await page.getByRole('alert').waitFor()
  expect(await page.getByLabel('E-mail').getAttribute('aria-invalid')).toBe('true')
  expect(await violationsOf(page)).toEqual([])
  await page.getByLabel('E-mail').press('Escape')
  await page.getByRole('alert').waitFor({ state: 'detached' })
  expect((await ada()).profile).toMatchObject({ firstName: 'Ada', lastName: 'Lovelace', email: null })
  expect(complaints).toEqual([])
})

test('a property that a colleague changes meanwhile is shown, and nothing is saved before its writer has chosen', async () => {
  const { page, ada, change } = await openCustomers()
  await page.getByRole('link', { name: 'Ada Lovelace' }).click()
  const company = page.getByLabel('Company')
  await company.fill('Looms')
  await change({ company: 'Mills', jobTitle: 'Countess' })
  await page.getByText('A colleague has changed this to “Mills”.').waitFor()
  // A field in which nobody types follows the change.
  await expect.poll(() => page.getByLabel('Job title').inputValue()).toBe('Countess')
  await company.press('Enter')
  await page.getByLabel('Job title').focus()
  expect((await ada()).profile.company).toBe('Mills')
  await page.getByRole('button', { name: 'Save mine' }).click()
  await expect.poll(async () => (await ada()).profile.company).toBe('Looms')
  await page.getByRole('button', { name: 'Save mine' }).waitFor({ state: 'detached' })
  await company.fill('Forges')
  await change({ company: 'Docks' })
  await page.getByRole('button', { name: 'Take theirs' }).click()
  expect(await company.inputValue()).toBe('Docks')
  expect((await ada()).profile.company).toBe('Docks')
})

test('a note of a colleague appears by itself, beside a half-written one', async () => {
  const { page, note } = await openCustomers()
  await page.getByRole('link', { name: 'Ada Lovelace' }).click()
  await page.getByRole('button', { name: 'Notes' }).click()
  const notes = page.getByRole('region', { name: 'Notes' })
  await notes.getByText('No notes yet.').waitFor()
  await notes.getByRole('textbox').fill('Half')
  await note('She prefers letters')
  await notes.getByRole('article').getByText('She prefers letters').waitFor()
  expect(await notes.getByRole('textbox').inputValue()).toBe('Half')
})

test('a note that a colleague writes while the connection is cut appears when it is back', async () => {
  const proxy = await startProxy({ host: '127.0.0.1', port: Number(new URL(running.url).port) })
  onTestFinished(() => proxy.stop())
  const { page, note } = await openCustomers(`http://127.0.0.1:${proxy.port}`)
  await page.getByRole('link', { name: 'Ada Lovelace' }).click()
  await page.getByRole('button', { name: 'Notes' }).click()
  const notes = page.getByRole('region', { name: 'Notes' })
  await notes.getByText('No notes yet.').waitFor()
  proxy.cut(Number.POSITIVE_INFINITY)
  await page.getByText('No connection.').waitFor()
  await note('She prefers letters')
  proxy.cut(0)
  await notes.getByRole('article').getByText('She prefers letters').waitFor()
})

test('the data of a customer has its id, and an admin downloads all of it', async () => {
  const { page, ada } = await openCustomers()
  await page.getByRole('link', { name: 'Ada Lovelace' }).click()
  await page.getByRole('button', { name: 'Data' }).click()
  const data = page.getByRole('region', { name: 'Data' })
  const { _id } = await ada()
  await data.getByText(_id).waitFor()
  const file = page.waitForEvent('download')
  await data.getByRole('button', { name: 'Download as JSON' }).click()
  expect((await file).suggestedFilename()).toBe(`${_id}.json`)
  expect(await violationsOf(page)).toEqual([])
})

test('a viewer reads the properties and has no field for them', async () => {
  const { page, token } = await openCustomers()
  const email = await joinAs(running.url, token, 'viewer')
  const address = page.url()
  await page.close()
  const viewer = (await openConsole(browser, address)).page
  await signIn(viewer, email)
  await viewer.getByRole('link', { name: 'Ada Lovelace' }).click()
  await viewer.getByText('Engines').waitFor()
  expect(await viewer.getByLabel('Company').count()).toBe(0)
})

for (const [width, colorScheme] of [
  [1440, 'dark'],
  [1024, 'light'],
  [360, 'light'],
  [320, 'dark'],
] as const)
  test(`the customer fits a screen of ${width} px in ${colorScheme} colours`, async () => {
    const { page, change } = await openCustomers()
    await change({
      email: `${'ada.of.the.engines.'.repeat(3)}@example.com`,
      tags: ['a-very-long-tag-of-engines'],
    })
    await page.getByRole('link', { name: 'Ada Lovelace' }).click()
    await page.getByLabel('Company').waitFor()
    await page.setViewportSize({ width, height: 800 })
    await page.emulateMedia({ colorScheme })
    for (const tab of ['Data', 'Notes', 'Activity', 'Conversations']) {
      await page.getByRole('button', { name: tab, exact: true }).click()
      await page.getByRole('region', { name: tab, exact: true }).waitFor()
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    }
    expect(await violationsOf(page)).toEqual([])
  })
