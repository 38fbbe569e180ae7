import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { deMore } from '../../../console/src/strings/de-more.ts'
import { en } from '../../../console/src/strings/en.ts'
import { more } from '../../../console/src/strings/more.ts'
import { call, password, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'
import { joinAs, openConsole, signIn, violationsOf } from './support/console-browser.ts'
import { useBrowser } from './support/use-browser.ts'

// Each person, whatever the role, sets their own name, password and browser.

const running = useService()
const browser = useBrowser()
const { profile, names, save } = more.settings
const address = () => `${running.url}/console/settings`

async function login(email: string, word: string): Promise<number> {
  const body = { email, password: word }
  return (await call(running.url, { method: 'POST', path: '/api/auth/login', body })).status
}

const fits = (page: Page) => page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')

test('a viewer changes the own name and password, and stays signed in', async () => {
  const owner = await registerTenant(running.url)
  const email = await joinAs(running.url, owner.token, 'viewer')
  const { page, complaints } = await openConsole(browser, address())
  await signIn(page, email)
  await page.getByRole('heading', { name: names.profile }).waitFor()
  expect(await violationsOf(page)).toEqual([])
  await page.getByLabel(profile.firstName).fill('Benjamin')
  await page.getByLabel(profile.lastName).fill('Fry')
  await page.getByRole('button', { name: save }).click()
  await page.getByText(profile.saved).waitFor()
  await page.getByRole('navigation', { name: en.nav.label }).getByText('Benjamin Fry').waitFor()

  const change = async (current: string, next: string) => {
    await page.getByLabel(profile.currentPassword).fill(current)
    await page.getByLabel(profile.newPassword).fill(next)
    await page.getByRole('button', { name: profile.changePassword }).click()
  }
  await change('wrong-password-of-mine', 'a-quite-other-password')
  await page.getByRole('alert').waitFor()
  expect(await violationsOf(page)).toEqual([])
  await change(password, 'a-quite-other-password')
  await page.getByText(profile.passwordSaved).waitFor()
  expect(await page.getByLabel(profile.newPassword).inputValue()).toBe('')
  expect([await login(email, password), await login(email, 'a-quite-other-password')]).toEqual([401, 200])
  await page.reload()
  await page.getByRole('heading', { name: names.profile }).waitFor()
  expect(await page.getByLabel(profile.firstName).inputValue()).toBe('Benjamin')
  expect(complaints).toEqual([])
})

test('the browser keeps its language, colours, notices and the wait before a reply', async () => {
  const { email } = await registerTenant(running.url)
  const { page } = await openConsole(browser, address())
  await signIn(page, email)
  await page.getByLabel(en.nav.theme).selectOption('dark')
  expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
  await page.getByLabel(en.drafts.undoSend).uncheck()
  await page.getByLabel(more.notices.kinds.badge).uncheck()
  await page.getByLabel(profile.language).selectOption('de')
  await page.getByRole('heading', { name: deMore.settings.names.profile }).waitFor()
  expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
  expect(await page.getByLabel(deMore.notices.kinds.badge).isChecked()).toBe(false)
  expect(await violationsOf(page)).toEqual([])
  await page.getByLabel(deMore.settings.profile.language).selectOption('browser')
  await page.getByRole('heading', { name: names.profile }).waitFor()
  expect(await page.getByLabel(en.drafts.undoSend).isChecked()).toBe(false)
  await page.setViewportSize({ width: 360, height: 740 })
  expect([await violationsOf(page), await fits(page)]).toEqual([[], true])
})
