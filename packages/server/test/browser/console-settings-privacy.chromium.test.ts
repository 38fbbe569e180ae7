import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { deMore } from '../../../console/src/strings/de-more.ts'
import { en } from '../../../console/src/strings/en.ts'
import { more } from '../../../console/src/strings/more.ts'
import { call, password, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'
import { joinAs, openConsole, signIn, violationsOf, watchTab } from './support/console-browser.ts'
import { openGrace } from './support/open-grace.ts'
import { useBrowser } from './support/use-browser.ts'

// The rights of people about their data, without a terminal; each step is checked at the service.

const running = useService()
const browser = useBrowser()
const { privacy, settings } = more
const { own, types, states } = privacy
const { names } = settings

/** A team with an agent, and requests by both. */
async function makeTeam() {
  const owner = await registerTenant(running.url)
  const agent = await joinAs(running.url, owner.token, 'agent')
  const signedIn = await call(running.url, {
    method: 'POST',
    path: '/api/auth/login',
    body: { email: agent, password },
  })
  const agentToken = signedIn.body.data.accessToken as string
  const ask = async (method: 'GET' | 'POST', path: string, { token = owner.token, body = {} } = {}) => {
    const response = await call(running.url, { method, path, token, ...(method === 'POST' && { body }) })
    if (response.status > 201) throw new Error(JSON.stringify(response.body))
    return response.body
  }
  const requestAs = async (type: string, body: object) =>
    (await ask('POST', `/api/data-privacy/${type}-request`, { token: agentToken, body })).request.id as string
  const requests = async () => (await ask('GET', '/api/tenant/privacy-requests')).data
  const userOf = async (email: string) =>
    (await ask('GET', '/api/v1/users')).data.find((user: { email: string }) => user.email === email)
  return { owner, agent, agentToken, ask, requestAs, requests, userOf }
}

async function openAs(email: string, section: string) {
  const opened = await openConsole(browser, `${running.url}/console/settings/${section}`)
  await signIn(opened.page, email)
  return opened
}

const comeBack = (page: Page) => page.evaluate(`window.dispatchEvent(new Event('focus'))`)

test('a viewer downloads a copy of the own data, asks for the erasure by keys, and thinks again', async () => {
  const { owner, ask, requests } = await makeTeam()
  const viewer = await joinAs(running.url, owner.token, 'viewer')
  const { page, complaints } = await openAs(viewer, 'data')
  await page.getByRole('heading', { name: own.erasure }).waitFor()
  const askButton = page.getByRole('button', { name: own.ask })
  await askButton.waitFor()
  expect(await violationsOf(page)).toEqual([])
  const sections = page.getByRole('navigation', { name: settings.sections })
  expect(await sections.getByRole('link').allTextContents()).toEqual([names.profile, names.data])

  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: more.export.json }).click()
  const copy = await readFile(await (await downloading).path(), 'utf8')
  expect(JSON.parse(copy).subject.email).toBe(viewer)

  await askButton.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: own.ask })
  await dialog.getByText(own.erasureHint).waitFor()
  expect(await violationsOf(page)).toEqual([])
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  expect(await requests()).toEqual([])

  await page.keyboard.press('Enter')
  await dialog.getByLabel(own.reason).focus()
  // Letters are shortcuts elsewhere, those of a Greek keyboard too.
  await page.keyboard.type('Φεύγω: r n e')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByText(/^You asked for it on/).waitFor()
  const [request] = await requests()
  expect(request).toMatchObject({ type: 'deletion', status: 'pending', reason: 'Φεύγω: r n e' })

  // A second tab that still offers to withdraw it says that it is over, and shows the present state.
  const second = await watchTab(await page.context().newPage(), `${running.url}/console/settings/data`)
  const withdraw = second.page.getByRole('button', { name: own.withdraw })
  await withdraw.waitFor()
  await page.getByRole('button', { name: own.withdraw }).click()
  await page.getByText(own.withdrawn).waitFor()
  expect((await requests())[0].status).toBe('cancelled')
  await withdraw.click()
  await second.page.getByText(en.problems.state).waitFor()
  await second.page.getByRole('button', { name: own.ask }).waitFor()

  // A rejection says its reason when the person comes back to the window.
  await askButton.click()
  await dialog.getByRole('button', { name: own.send }).click()
  await page.getByText(/^You asked for it on/).waitFor()
  const [again] = await requests()
  await ask('POST', `/api/tenant/privacy-requests/${again._id}/reject`, {
    body: { rejectionReason: 'You are still needed' },
  })
  await comeBack(page)
  await page.getByText(/was rejected: You are still needed$/).waitFor()
  expect([...complaints, ...second.complaints]).toEqual([])
})

test('other requests have the fields of their kind, and keep what was typed without a network', async () => {
  const { agent, requests } = await makeTeam()
  const { page, complaints } = await openAs(agent, 'data')
  const kind = page.getByLabel(own.type)
  const send = page.getByRole('button', { name: own.send })
  await kind.selectOption('rectification')
  await page.getByLabel(own.field, { exact: true }).fill('lastName')
  await page.getByLabel(own.requestedValue).fill('Lovelace')
  await page.context().setOffline(true)
  await page.keyboard.press('Enter')
  await page.getByRole('alert').waitFor()
  expect(await page.getByLabel(own.requestedValue).inputValue()).toBe('Lovelace')
  await page.context().setOffline(false)
  await send.click()
  await page.getByText(own.sent).waitFor()
  await expect.poll(() => page.getByLabel(own.field, { exact: true }).inputValue()).toBe('')
  await kind.selectOption('objection')
  // A reason is needed: the browser says so, and nothing is sent.
  await send.click()
  await page.getByLabel(own.neededReason).fill('No statistics, please')
  await send.click()
  await expect.poll(async () => (await requests()).length).toBe(2)
  expect((await requests()).map(({ type, reason }: Record<string, unknown>) => [type, reason])).toEqual(
    expect.arrayContaining([
      ['rectification', null],
      ['objection', 'No statistics, please'],
    ]),
  )
  expect(complaints.filter((text) => !text.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([])
})

test('an admin approves a restriction, lifts it, rejects with a reason, and loses to a faster colleague', async () => {
  const { owner, agent, ask, requestAs, requests, userOf } = await makeTeam()
  await requestAs('restriction', { reason: 'It is disputed' })
  await requestAs('access', { reason: null })
  const faster = await requestAs('objection', { reason: 'No figures' })
  const { page, complaints } = await openAs(owner.email, 'privacy')
  const row = (type: string) => page.getByRole('button', { name: privacy.open(type, 'Ben agent') })
  await row(types.restriction).waitFor()
  expect(await violationsOf(page)).toEqual([])
  const dialog = page.getByRole('dialog')

  await row(types.restriction).click()
  await dialog.getByText('It is disputed').waitFor()
  expect(await violationsOf(page)).toEqual([])
  await dialog.getByLabel(privacy.facts.notes).fill('Until the figures are right')
  await dialog.getByRole('button', { name: privacy.approve, exact: true }).click()
  await dialog.waitFor({ state: 'hidden' })
  expect((await userOf(agent)).processingRestricted).toBe(true)
  await row(types.restriction).click()
  await dialog.getByRole('button', { name: privacy.lift }).click()
  await dialog.waitFor({ state: 'hidden' })
  expect((await userOf(agent)).processingRestricted).toBe(false)

  await row(types.access).click()
  await dialog.getByLabel(privacy.facts.rejectionReason).fill('It is the third one this week')
  await dialog.getByRole('button', { name: privacy.rejectNow }).click()
  await page.getByText(privacy.decided(types.access, states.rejected)).waitFor()

  await row(types.objection).click()
  await ask('POST', `/api/tenant/privacy-requests/${faster}/reject`, { body: { rejectionReason: 'Not so' } })
  await dialog.getByRole('button', { name: privacy.approve, exact: true }).click()
  await dialog.getByText(en.problems.state).waitFor()
  await dialog.getByText('Not so').waitFor()
  expect(await dialog.getByRole('button', { name: privacy.approve, exact: true }).count()).toBe(0)
  await page.keyboard.press('Escape')

  await page.getByLabel(privacy.filter).selectOption('completed')
  await row(types.access).waitFor({ state: 'detached' })
  await row(types.restriction).waitFor()
  expect((await requests()).map(({ status, notes }: Record<string, unknown>) => [status, notes])).toEqual(
    expect.arrayContaining([
      ['completed', 'Until the figures are right'],
      ['rejected', null],
    ]),
  )
  expect(complaints).toEqual([])
})

test('an erasure asks for the name, and its end is shown', async () => {
  const { owner, agent, requestAs, requests, userOf } = await makeTeam()
  await requestAs('deletion', { reason: 'I leave' })
  const { page, complaints } = await openAs(owner.email, 'privacy')
  await page.getByRole('button', { name: privacy.open(types.deletion, 'Ben agent') }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(privacy.approveHints.deletion('Ben agent')).waitFor()
  const approve = dialog.getByRole('button', { name: privacy.approveErasure })
  const typed = dialog.getByLabel(privacy.confirm('Ben agent'))
  expect(await approve.isDisabled()).toBe(true)
  await typed.fill('Ben')
  await typed.press('Enter')
  expect((await requests())[0].status).toBe('pending')
  await typed.fill('Ben agent')
  await typed.press('Enter')
  await dialog.waitFor({ state: 'hidden' })
  await page.getByRole('cell', { name: states.completed }).waitFor()
  expect(await userOf(agent)).toBeUndefined()
  await page.getByRole('cell', { name: en.activity.former, exact: true }).waitFor()
  expect(complaints).toEqual([])
})

test('only an owner approves the erasure of an owner, and agents see no requests of others', async () => {
  const { owner, agent, ask } = await makeTeam()
  await ask('POST', '/api/data-privacy/deletion-request')
  const admin = await joinAs(running.url, owner.token, 'admin')
  const { page } = await openAs(admin, 'privacy')
  await page.getByRole('button', { name: privacy.open(types.deletion, 'Olive Owner') }).click()
  await page.getByText(privacy.onlyOwners).waitFor()
  expect(await page.getByRole('button', { name: privacy.approveErasure }).isDisabled()).toBe(true)
  const { page: theirs } = await openAs(agent, 'privacy')
  await theirs.getByText(settings.forbidden).waitFor()
})

test('the data of a customer is reached from a conversation, downloaded and erased', async () => {
  const { page, panel, token, customerId } = await openGrace(browser, running.url)
  await panel.getByRole('link', { name: more.customer.privacy }).click()
  await page.getByRole('button', { name: en.actions.eraseCustomer }).waitFor()
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: more.export.json }).click()
  expect(await readFile(await (await downloading).path(), 'utf8')).toContain('grace@example.com')
  await page.getByRole('button', { name: en.actions.eraseCustomer }).click()
  const dialog = page.getByRole('dialog', { name: en.actions.eraseCustomer })
  await dialog.getByLabel(more.erase.confirm('Grace')).fill('Grace')
  expect(await violationsOf(page)).toEqual([])
  await page.keyboard.press('Enter')
  await page.getByText(more.erase.done).waitFor()
  expect((await call(running.url, { path: `/api/v1/customers/${customerId}`, token })).status).toBe(404)
  await page.getByRole('heading', { name: more.customers.title }).waitFor()
})

test('the screens speak German and fit a phone', async () => {
  const { owner, requestAs } = await makeTeam()
  await requestAs('restriction', { reason: 'Streit' })
  const german = deMore
  for (const width of [360, 1024]) {
    const options = { locale: 'de-DE', viewport: { width, height: 740 } }
    const { page } = await openConsole(browser, `${running.url}/console/settings/privacy`, options)
    await page.getByLabel('E-Mail').fill(owner.email)
    await page.getByLabel('Passwort').fill(password)
    await page.getByRole('button', { name: 'Anmelden' }).click()
    const fits = () => page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')
    await page
      .getByRole('button', { name: german.privacy.open(german.privacy.types.restriction, 'Ben agent') })
      .click()
    await page.getByText('Streit').waitFor()
    expect([await violationsOf(page), await fits()]).toEqual([[], true])
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: german.settings.names.data }).click()
    await page.getByRole('button', { name: german.privacy.own.ask }).waitFor()
    expect([await violationsOf(page), await fits()]).toEqual([[], true])
    await page.context().close()
  }
})
