import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { en } from '../../../console/src/strings/en.ts'
import { call, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'
import { joinAs, openConsole, signIn, violationsOf } from './support/console-browser.ts'
import { useBrowser } from './support/use-browser.ts'

const running = useService()
const browser = useBrowser()

/** A team with an urgent and a plain conversation, and with these views. */
async function newTeam(views: readonly object[] = []) {
  const { token, email } = await registerTenant(running.url)
  const ask = async (method: string, path: string, body?: object) => {
    const response = await call(running.url, { method, path: `/api/v1${path}`, token, body })
    expect(response.body.error).toBeUndefined()
    return response.body.data
  }
  const [{ _id: inboxId }] = await ask('GET', '/inboxes')
  await ask('POST', '/conversations', { subject: 'Fire', inboxId, priority: 'urgent' })
  await ask('POST', '/conversations', { subject: 'Question', inboxId })
  const made = await Promise.all(views.map((view) => ask('POST', '/views', view)))
  return { email, ask, made, token }
}

const openAt = async (address: string, email: string) => {
  const { page } = await openConsole(browser, `${running.url}/console/${address}`)
  await signIn(page, email)
  return page
}
const rowsOf = (page: Page) => page.getByRole('region', { name: 'Conversations' })
const linkOf = (page: Page, name: string) => page.getByRole('navigation').getByRole('link', { name })
const dialogOf = (page: Page) => page.getByRole('dialog')
const urgent = { name: 'Burning', filter: { status: ['open'], priority: 'urgent' }, isShared: true }

test('a filtered list is saved as a view, stands in the menu, and shows the same list at its own address', async () => {
  const { email, ask } = await newTeam()
  const page = await openAt('inbox/open~priority.urgent', email)
  await rowsOf(page).getByText('Fire').waitFor()
  await page.getByRole('button', { name: 'Save as view' }).click()
  await dialogOf(page).getByLabel('Name').fill('Burning')
  expect(await violationsOf(page, 'dialog')).toEqual([])
  // The form keeps its fields.
  await page.keyboard.press('Escape')
  await page.locator('body').press('b')
  expect(await dialogOf(page).getByLabel('Name').inputValue()).toBe('Burning')
  await dialogOf(page).getByLabel('For the whole team').check()
  await page.keyboard.press('Enter')
  await page.getByText('Saved: Burning').waitFor()
  await linkOf(page, 'Burning').waitFor()
  expect(await linkOf(page, 'Burning').getAttribute('aria-current')).toBe('page')
  const [view] = await ask('GET', '/views')
  expect(view).toMatchObject({
    name: 'Burning',
    filter: { status: ['open'], priority: 'urgent' },
    sort: '-lastMessageAt',
    isShared: true,
  })
  expect(new URL(page.url()).pathname).toContain(`/console/inbox/${view._id}`)
  await page.reload()
  await rowsOf(page).getByText('Fire').waitFor()
  expect(await rowsOf(page).getByText('Question').count()).toBe(0)
  expect(await page.getByRole('heading', { level: 1, name: 'Burning' }).count()).toBe(1)
  expect(await violationsOf(page, 'body')).toEqual([])
})

test('a changed conversation moves into a saved view without a request of the person', async () => {
  const { email, ask, made } = await newTeam([urgent])
  const page = await openAt(`inbox/${made[0]._id}`, email)
  await rowsOf(page).getByText('Fire').waitFor()
  const question = (await ask('GET', '/conversations?priority=medium'))[0]
  await ask('PUT', `/conversations/${question._id}`, { priority: 'urgent' })
  await rowsOf(page).getByText('Question').waitFor()
})

test('a narrowed list replaces the filter of its view, or is saved as a new one, and an undo brings the former one back', async () => {
  const { email, ask, made } = await newTeam([urgent])
  const page = await openAt(`inbox/${made[0]._id}~channel.email`, email)
  const update = page.getByRole('button', { name: en.list.updateView })
  await update.waitFor()
  await page.getByRole('button', { name: en.list.saveAsNew }).waitFor()
  expect(await violationsOf(page, 'body')).toEqual([])
  for (const width of [1440, 1024, 360]) {
    await page.setViewportSize({ width, height: 900 })
    const words = await page.locator('.list-filtered > span').boundingBox()
    expect(words!.width, String(width)).toBeGreaterThan(100)
    expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true)
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await update.click()
  await page.getByText(en.list.updated('Burning')).waitFor()
  const stored = async () => (await ask('GET', '/views'))[0]
  const narrowed = { ...urgent.filter, channel: 'email' }
  expect(await stored()).toMatchObject({ name: 'Burning', isShared: true, filter: narrowed })
  await expect.poll(() => new URL(page.url()).pathname).toMatch(new RegExp(`/${made[0]._id}/`))
  await update.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: en.actions.undo, exact: true }).click()
  await expect.poll(async () => (await stored()).filter).toEqual(urgent.filter)
  expect(await ask('GET', '/views')).toHaveLength(1)
})

test('the owner renames, takes back and deletes a view in its dialog', async () => {
  const { email, ask, made } = await newTeam([urgent])
  const page = await openAt(`inbox/${made[0]._id}`, email)
  await page.getByRole('button', { name: 'Edit the view' }).click()
  await dialogOf(page).getByLabel('Name').fill('On fire')
  await dialogOf(page).getByLabel('For the whole team').uncheck()
  expect(await violationsOf(page, 'dialog')).toEqual([])
  await dialogOf(page).getByRole('button', { name: 'Save' }).click()
  await linkOf(page, 'On fire').waitFor()
  expect((await ask('GET', '/views'))[0]).toMatchObject({ name: 'On fire', isShared: false })
  await page.getByRole('button', { name: 'Edit the view' }).click()
  await dialogOf(page).getByRole('button', { name: 'Delete' }).click()
  await dialogOf(page).getByRole('button', { name: 'Delete for good' }).click()
  await page.getByText('Deleted: On fire').waitFor()
  await expect.poll(() => linkOf(page, 'On fire').count()).toBe(0)
  expect(await ask('GET', '/views')).toEqual([])
})

test('a colleague opens a shared view by its address and cannot edit it, and one that is not theirs is not there', async () => {
  const { made, token } = await newTeam([urgent, { ...urgent, name: 'Secret', isShared: false }])
  const email = await joinAs(running.url, token, 'agent')
  const page = await openAt(`inbox/${made[0]._id}`, email)
  await rowsOf(page).getByText('Fire').waitFor()
  await rowsOf(page).getByText('A view of the team').waitFor()
  expect(await page.getByRole('button', { name: 'Edit the view' }).count()).toBe(0)
  expect(await linkOf(page, 'Secret').count()).toBe(0)
  await page.goto(`${running.url}/console/inbox/${made[1]._id}`)
  await page.getByText('This view does not exist').waitFor()
})
