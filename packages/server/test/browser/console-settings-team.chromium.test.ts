import { expect, test } from 'vitest'
import { deMore } from '../../../console/src/strings/de-more.ts'
import { more } from '../../../console/src/strings/more.ts'
import { call, password, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'
import { joinAs, openConsole, signIn, violationsOf } from './support/console-browser.ts'
import { useBrowser } from './support/use-browser.ts'

// The team is changed in the console; each change is checked at the service.

const running = useService()
const browser = useBrowser()
const { team: texts, settings } = more

test('an admin renames the team by keys, and keeps what a colleague has changed meanwhile', async () => {
  const owner = await registerTenant(running.url)
  const admin = await joinAs(running.url, owner.token, 'admin')
  const ask = async (body?: object) => {
    const method = body ? 'PUT' : 'GET'
    return (await call(running.url, { method, path: '/api/tenant', token: owner.token, body })).body.data
  }
  const { page, complaints } = await openConsole(browser, `${running.url}/console/settings/team`)
  await signIn(page, admin)
  const name = page.getByLabel(texts.name)
  const country = page.getByLabel(texts.country)
  await name.waitFor()
  expect([await name.inputValue(), await country.inputValue()]).toEqual([owner.tenant.name, ''])
  await page.getByRole('cell', { name: texts.quotas.customers }).waitFor()
  expect(await violationsOf(page)).toEqual([])

  await ask({ country: 'GR' })
  await name.fill('Αναλυτικές Μηχανές')
  await page.context().setOffline(true)
  await page.keyboard.press('Enter')
  await page.getByRole('alert').waitFor()
  expect(await name.inputValue()).toBe('Αναλυτικές Μηχανές')
  await page.context().setOffline(false)
  await page.keyboard.press('Enter')
  await page.getByText(texts.saved).waitFor()
  expect(await ask()).toMatchObject({ name: 'Αναλυτικές Μηχανές', country: 'GR' })
  await page.getByRole('navigation', { name: 'Views' }).getByText('Αναλυτικές Μηχανές').waitFor()
  await expect.poll(() => country.inputValue()).toBe('GR')

  // A change of somebody else is there when the person comes back to the window.
  await ask({ country: 'AT' })
  await page.evaluate(`window.dispatchEvent(new Event('focus'))`)
  await expect.poll(() => country.inputValue()).toBe('AT')
  await country.selectOption('')
  await page.getByRole('button', { name: settings.save }).click()
  await expect.poll(async () => (await ask()).country).toBeNull()
  expect(complaints.filter((text) => !text.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([])
})

test('agents do not see the team, and the screen speaks German and fits a phone', async () => {
  const owner = await registerTenant(running.url)
  const agent = await joinAs(running.url, owner.token, 'agent')
  const { page: theirs } = await openConsole(browser, `${running.url}/console/settings/team`)
  await signIn(theirs, agent)
  await theirs.getByText(settings.forbidden).waitFor()
  for (const width of [360, 1024]) {
    const options = { locale: 'de-DE', viewport: { width, height: 740 } }
    const { page } = await openConsole(browser, `${running.url}/console/settings/team`, options)
    await page.getByLabel('E-Mail').fill(owner.email)
    await page.getByLabel('Passwort').fill(password)
    await page.getByRole('button', { name: 'Anmelden' }).click()
    await page.getByLabel(deMore.team.country).selectOption({ label: 'Österreich' })
    const fits = await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')
    expect([await violationsOf(page), fits]).toEqual([[], true])
    await page.context().close()
  }
})
