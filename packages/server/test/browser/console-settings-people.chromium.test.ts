import { expect, test } from 'vitest'
import { deMore } from '../../../console/src/strings/de-more.ts'
import { more } from '../../../console/src/strings/more.ts'
import { call, password, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'
import { joinAs, openConsole, signIn, violationsOf } from './support/console-browser.ts'
import { useBrowser } from './support/use-browser.ts'

// Admins change who is in the team and which programs have keys; each change is checked at the service.

const running = useService()
const browser = useBrowser()
const { people, keys, names, title } = more.settings

async function openSettings(section: string) {
  const owner = await registerTenant(running.url)
  const agent = await joinAs(running.url, owner.token, 'agent')
  const { page, complaints } = await openConsole(browser, `${running.url}/console/settings/${section}`)
  await signIn(page, owner.email)
  await page.getByRole('heading', { name: title, exact: true }).waitFor()
  const read = async (path: string) => (await call(running.url, { path, token: owner.token })).body.data
  const userOf = async (email: string) =>
    (await read('/api/v1/users')).find((user: { email: string }) => user.email === email)
  return { owner, agent, page, complaints, read, userOf }
}

test('a person is invited by a link that works, and gets a role', async () => {
  const { agent, page, complaints, userOf } = await openSettings('people')
  await page.getByRole('cell', { name: agent }).waitFor()
  expect(await violationsOf(page)).toEqual([])
  await page.getByRole('button', { name: people.invite }).click()
  const dialog = page.getByRole('dialog')
  expect(await violationsOf(page)).toEqual([])
  await dialog.getByLabel(people.email).fill('new@example.com')
  await dialog.getByRole('radio', { name: /^Viewer/ }).check()
  await dialog.getByRole('button', { name: people.submit, exact: true }).click()
  const link = page.getByLabel(people.link('new@example.com'))
  const first = await link.inputValue()
  expect((await userOf('new@example.com')).role).toBe('viewer')
  await page.getByRole('cell', { name: people.invited('') }).waitFor()

  await page.getByRole('button', { name: people.change('new@example.com') }).click()
  await dialog.getByRole('button', { name: people.newLink }).click()
  await expect.poll(() => link.inputValue()).not.toBe(first)
  const token = new URLSearchParams(new URL(await link.inputValue()).hash.slice(1)).get('token')
  const accepted = await call(running.url, {
    method: 'POST',
    path: '/api/auth/accept-invite',
    body: { token, password },
  })
  expect(accepted.status).toBe(200)

  await page.getByRole('button', { name: people.change('Ben agent') }).click()
  await dialog.getByRole('radio', { name: /^Admin/ }).check()
  await dialog.getByRole('button', { name: more.settings.save }).click()
  await page.getByText(people.saved('Ben agent')).waitFor()
  expect((await userOf(agent)).role).toBe('admin')
  expect(complaints).toEqual([])
})

test('a person is deactivated, activated again and removed', async () => {
  const { agent, page, userOf } = await openSettings('people')
  const dialog = page.getByRole('dialog')
  const open = () => page.getByRole('button', { name: people.change('Ben agent') }).click()
  await open()
  expect(await violationsOf(page)).toEqual([])
  await dialog.getByRole('button', { name: people.deactivate }).click()
  await dialog.getByRole('button', { name: people.deactivateNow }).click()
  await page.getByRole('cell', { name: people.inactive }).waitFor()
  expect((await userOf(agent)).isActive).toBe(false)
  await open()
  await dialog.getByRole('button', { name: people.activate }).click()
  await page.getByText(people.activated('Ben agent')).waitFor()
  expect((await userOf(agent)).isActive).toBe(true)
  await open()
  await dialog.getByRole('button', { name: people.remove }).click()
  await dialog.getByRole('button', { name: people.removeNow }).click()
  await page.getByText(people.removed('Ben agent')).waitFor()
  expect(await userOf(agent)).toBeUndefined()
})

test('a key is made from a preset, shown once, used and revoked', async () => {
  const { page, complaints, read } = await openSettings('keys')
  const dialog = page.getByRole('dialog')
  await page.getByText(keys.none).waitFor()
  expect(await violationsOf(page)).toEqual([])
  await page.getByRole('button', { name: keys.new }).click()
  await dialog.getByLabel(keys.name, { exact: true }).fill('Shop')
  await dialog.getByRole('radio', { name: keys.presets.product }).check()
  expect(await violationsOf(page)).toEqual([])
  await dialog.getByRole('button', { name: keys.create }).click()
  const key = await dialog.getByLabel(keys.secretHint).inputValue()
  expect(await violationsOf(page)).toEqual([])
  // Escape asks first, and "no" leaves the key where it is.
  let questions = 0
  page.on('dialog', (question) => {
    questions += 1
    void question.dismiss()
  })
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  expect(questions).toBe(2)
  await dialog.getByRole('button', { name: keys.stored }).click()
  await dialog.waitFor({ state: 'hidden' })
  const [stored] = await read('/api/tenant/api-keys').then((data) => data.keys ?? data)
  expect([stored.name, stored.permissions.length]).toEqual(['Shop', 4])
  const use = () => call(running.url, { path: '/api/v1/customers', token: key })
  expect((await use()).status).toBe(200)
  expect(await page.content()).not.toContain(key)

  await page.getByRole('button', { name: keys.revokeOf('Shop') }).click()
  await dialog.getByText('requests in this month').waitFor()
  await dialog.getByRole('button', { name: keys.revoke }).click()
  await dialog.getByRole('button', { name: keys.revokeNow }).click()
  await page.getByRole('cell', { name: /^Revoked on/ }).waitFor()
  expect((await use()).status).toBe(401)
  expect(complaints).toEqual([])
})

test('agents have no list of the team, and the screen speaks German on a phone', async () => {
  const { owner, agent } = await openSettings('people')
  const { page: theirs } = await openConsole(browser, `${running.url}/console/settings/keys`)
  const asked: string[] = []
  theirs.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await signIn(theirs, agent)
  await theirs.getByText(more.settings.forbidden).waitFor()
  const sections = theirs.getByRole('navigation', { name: more.settings.sections })
  expect(await sections.getByRole('link').allTextContents()).toEqual([names.profile, names.data])
  expect(asked).not.toContain('/api/tenant/api-keys')
  expect(await violationsOf(theirs)).toEqual([])

  const german = deMore.settings
  for (const width of [360, 768, 1024]) {
    const options = { locale: 'de-DE', viewport: { width, height: 740 } }
    const { page } = await openConsole(browser, `${running.url}/console/settings/people`, options)
    await page.getByLabel('E-Mail').fill(owner.email)
    await page.getByLabel('Passwort').fill(password)
    await page.getByRole('button', { name: 'Anmelden' }).click()
    await page.getByRole('cell', { name: agent }).waitFor()
    const fits = await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')
    expect([await violationsOf(page), fits]).toEqual([[], true])
    await page.getByRole('link', { name: german.names.keys }).click()
    await page.getByText(german.keys.none).waitFor()
    await page.context().close()
  }
  expect(names.keys).not.toBe(german.names.keys)
})
