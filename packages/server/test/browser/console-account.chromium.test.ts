import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { call, password, registerTenant } from '../support/call.ts'
import { mailTo, textOf } from '../support/system-mail.ts'
import { useService } from '../support/use-service.ts'
import { openConsole, violationsOf, watchTab } from './support/console-browser.ts'
import { useBrowser } from './support/use-browser.ts'

const running = useService()
const browser = useBrowser()

const newPassword = 'a sentence that nobody forgets'

/** The link of the only mail to a person, as it stands there. */
async function linkMailedTo(email: string): Promise<string> {
  await expect.poll(async () => (await mailTo(running.url, email)).length).toBe(1)
  const [mail] = await mailTo(running.url, email)
  return /http\S+#token=[\w.-]+/.exec(textOf(mail?.raw ?? ''))?.[0] ?? ''
}

async function signInWith(page: Page, email: string): Promise<void> {
  await page.getByRole('link', { name: 'Open the console' }).click()
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(newPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('navigation', { name: 'Views' }).waitFor()
}

test('an invited colleague goes from the mail over the page of its link into the console of the team', async () => {
  const owner = await registerTenant(running.url)
  const email = 'grace.invited@example.com'
  const body = { email, role: 'agent', firstName: 'Grace', lastName: 'Hopper' }
  const invited = await call(running.url, { method: 'POST', path: '/api/v1/users', token: owner.token, body })
  expect(invited.status).toBe(201)
  const { page, complaints } = await openConsole(browser, await linkMailedTo(email))
  await page.getByLabel('Password', { exact: true }).fill(newPassword)
  await page.getByRole('button', { name: 'Accept the invitation' }).click()
  await page.getByRole('navigation', { name: 'Views' }).getByText('Grace Hopper').waitFor()
  await page.getByRole('navigation', { name: 'Views' }).getByText(owner.tenant.name).waitFor()
  expect(complaints).toEqual([])
})

test('a person who has forgotten the password asks in the console, sets another one by the mail, and signs in', async () => {
  const { email } = await registerTenant(running.url)
  const { page } = await openConsole(browser, `${running.url}/console/`)
  await page.getByRole('link', { name: 'Forgotten password?' }).click()
  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('button', { name: 'Send the link' }).click()
  await page.getByText('the link is on its way').waitFor()
  await page.goto(await linkMailedTo(email))
  await page.getByLabel('New password').fill(newPassword)
  await page.getByRole('button', { name: 'Set the password' }).click()
  await page.getByText('Your password is changed').waitFor()
  await signInWith(page, email)
})

test('a person of several teams goes from one to another by keys, in every tab, and the session before ends', async () => {
  const first = await registerTenant(running.url)
  const { email } = first
  const other = await call(running.url, {
    method: 'POST',
    path: '/api/auth/register',
    body: { tenantName: 'The other team', email, password },
  })
  expect(other.status).toBe(201)
  const { page } = await openConsole(browser, `${running.url}/console/`)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByLabel('Team').selectOption({ label: first.tenant.name })
  await page.getByRole('button', { name: 'Sign in' }).click()
  const views = (tab: Page) => tab.getByRole('navigation', { name: 'Views' })
  await views(page).getByText(first.tenant.name).waitFor()
  const second = await watchTab(await page.context().newPage(), `${running.url}/console/`)
  await views(second.page).getByText(first.tenant.name).waitFor()
  const token = page.waitForRequest('**/api/auth/logout')
  await page.keyboard.press('g')
  await page.keyboard.press('t')
  await page.getByRole('option', { name: 'The other team' }).waitFor()
  expect(await violationsOf(page)).toEqual([])
  await page.keyboard.press('Enter')
  await page.getByText('Sign in to The other team').waitFor()
  expect(await violationsOf(page)).toEqual([])
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
  for (const tab of [page, second.page]) await views(tab).getByText('The other team').waitFor()
  const ended = (await token).headers()['authorization']?.replace('Bearer ', '')
  const isEnded = async () =>
    (await call(running.url, { path: '/api/v1/users/me', token: ended ?? '' })).status
  await expect.poll(isEnded).toBe(401)
})
