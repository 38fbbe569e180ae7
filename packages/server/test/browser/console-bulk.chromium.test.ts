import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { call, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'
import { joinAs, openConsole, press, signIn, violationsOf } from './support/console-browser.ts'
import { useBrowser } from './support/use-browser.ts'

const running = useService()
const browser = useBrowser()

/** A tenant with open conversations of these subjects, and a console that shows them, the first one above. */
async function openList(subjects: readonly string[], role?: 'viewer') {
  const { token, email } = await registerTenant(running.url)
  const send = (method: string, path: string, body?: object) =>
    call(running.url, { method, path: `/api/v1/${path}`, token, ...(body && { body }) })
  const inboxId = (await send('GET', 'inboxes')).body.data[0]._id as string
  const ids: Record<string, string> = {}
  for (const subject of subjects.toReversed())
    ids[subject] = (await send('POST', 'conversations', { subject, inboxId })).body.data._id
  const { page, complaints } = await openConsole(browser, `${running.url}/console/`)
  await signIn(page, role ? await joinAs(running.url, token, role) : email)
  await page.locator('.row').first().waitFor()
  await press(page, ['g', 'o'])
  await page.getByRole('heading', { name: /^Open/ }).waitFor()
  await page.locator('.row').first().waitFor()
  const change = (subject: string, body: object) => send('PUT', `conversations/${ids[subject]}`, body)
  const stored = async (subject: string) => (await send('GET', `conversations/${ids[subject]}`)).body.data
  const count = async (status: string) =>
    (await send('GET', `conversations?status=${status}`)).body.pagination.total
  return { page, complaints, change, stored, count }
}

const barOf = (page: Page) => page.getByRole('region', { name: 'Change the chosen conversations' })
const boxOf = (page: Page, subject: string) =>
  page.getByRole('checkbox', { name: `Choose ${subject}`, exact: true })
const chosen = (page: Page) => barOf(page).getByRole('status').textContent()

async function pick(page: Page, dialogName: string, option: string) {
  const dialog = page.getByRole('dialog', { name: dialogName })
  await dialog.getByRole('combobox').fill(option)
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'hidden' })
}

test('boxes and Shift choose a range, the bar changes all of it at once, and one undo takes it back', async () => {
  const { page, complaints, stored, change } = await openList(['Ant', 'Bee', 'Cat', 'Dog', 'Elk'])
  await change('Cat', { status: 'open', priority: 'low' })
  await page.locator('.row', { hasText: 'Bee' }).hover()
  await boxOf(page, 'Bee').click()
  await boxOf(page, 'Dog').click({ modifiers: ['Shift'] })
  expect(await chosen(page)).toBe('3 chosen')
  expect(await boxOf(page, 'Cat').isChecked()).toBe(true)
  expect(await violationsOf(page)).toEqual([])
  await barOf(page).getByRole('button', { name: 'Priority' }).click()
  expect(await violationsOf(page)).toEqual([])
  await pick(page, 'Priority', 'Urgent')
  await page.getByText('3 changed').waitFor()
  await barOf(page).waitFor({ state: 'hidden' })
  const priorities = async () =>
    Promise.all(['Ant', 'Bee', 'Cat', 'Dog', 'Elk'].map(async (subject) => (await stored(subject)).priority))
  expect(await priorities()).toEqual(['medium', 'urgent', 'urgent', 'urgent', 'medium'])
  await change('Dog', { priority: 'high' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('As it was before, except for 1 that somebody has changed since').waitFor()
  expect(await priorities()).toEqual(['medium', 'medium', 'low', 'high', 'medium'])
  expect(complaints).toEqual([])
})

test('x chooses by the keyboard alone, the keys of one conversation then change all, and Escape chooses none', async () => {
  const { page, complaints, stored, count } = await openList(['Ant', 'Bee', 'Cat'])
  await page.locator('.row', { hasText: 'Ant' }).focus()
  await press(page, ['x'])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Shift+X')
  await expect.poll(() => chosen(page)).toBe('3 chosen')
  await page.keyboard.press('Escape')
  await barOf(page).waitFor({ state: 'hidden' })
  await press(page, ['x'])
  await expect.poll(() => chosen(page)).toBe('1 chosen')
  await press(page, ['l'])
  await pick(page, 'Labels', 'Returns')
  await page.getByText('1 changed').waitFor()
  expect([(await stored('Cat')).labels, (await stored('Bee')).labels]).toEqual([['Returns'], []])
  await page.locator('.row', { hasText: 'Bee' }).focus()
  await press(page, ['x', 'e'])
  await pick(page, 'Status', 'Closed')
  await expect.poll(() => page.locator('.row').count()).toBe(2)
  expect(await count('closed')).toBe(1)
  expect(complaints).toEqual([])
})

test('all of a list that is longer than a page are chosen and changed, and a search has a choice of its own', async () => {
  const subjects = Array.from({ length: 104 }, (_, n) => `Lamp ${n}`)
  const { page, complaints, count } = await openList(subjects)
  await page.locator('.row').first().hover()
  await page
    .getByRole('checkbox', { name: /^Choose/ })
    .first()
    .click()
  await barOf(page).getByRole('button', { name: 'Choose all 104' }).click()
  await expect.poll(() => chosen(page)).toBe('104 chosen')
  await press(page, ['e'])
  await pick(page, 'Status', 'Pending')
  await page.getByText('104 changed').waitFor()
  expect([await count('open'), await count('pending')]).toEqual([0, 104])
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('As it was before').waitFor()
  expect(await count('open')).toBe(104)
  await page.locator('.row').first().focus()
  await press(page, ['x'])
  await barOf(page).waitFor()
  await page.getByRole('searchbox', { name: 'Search conversations' }).fill('Lamp 7')
  await barOf(page).waitFor({ state: 'hidden' })
  expect(complaints).toEqual([])
})

test('a person who may only read has nothing to choose', async () => {
  const { page } = await openList(['Ant'], 'viewer')
  expect(await page.getByRole('checkbox', { name: /^Choose/ }).count()).toBe(0)
  await page.locator('.row').first().focus()
  await press(page, ['x'])
  expect(await barOf(page).count()).toBe(0)
})
