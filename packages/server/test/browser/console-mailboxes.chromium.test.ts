import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { deMore } from '../../../console/src/strings/de-more.ts'
import { more } from '../../../console/src/strings/more.ts'
import { password } from '../support/call.ts'
import { makeMailInbox } from '../support/mail-inbox.ts'
import { type MailProviderServer, providerVariables, startMailProvider } from '../support/mail-provider.ts'
import { type RunningService, startService } from '../support/start-service.ts'
import { joinAs, openConsole, signIn, violationsOf } from './support/console-browser.ts'
import { useBrowser } from './support/use-browser.ts'

// A person signs in to the mailbox of an inbox, and the screen says how far that has come.

const browser = useBrowser()
let provider: MailProviderServer
let service: RunningService
beforeAll(async () => {
  provider = await startMailProvider()
  service = await startService({
    ...providerVariables,
    CRM_MICROSOFT_CLIENT_ID: undefined,
    // No mailbox is read here: `sign-in.dovecot.test.ts` proves that one is.
    CRM_MAIL_OAUTH_HOSTS: `accounts=${provider.accounts},imap=127.0.0.1:9,smtp=127.0.0.1:9`,
  })
})
afterAll(async () => {
  await service?.stop()
  await provider?.close()
})
beforeEach(() => {
  provider.isDenied = false
})

const english = more.mailboxes
const mailbox = (page: Page) => page.getByRole('region', { name: 'Inbox', exact: true })
const fitsOf = (page: Page) => page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')

async function openMailboxes() {
  const inbox = await makeMailInbox(service, { transport: 'none' })
  const { page } = await openConsole(browser, `${service.url}/console/`)
  await signIn(page, inbox.owner.email)
  await page.getByRole('link', { name: english.title }).click()
  await page.getByRole('heading', { name: english.title }).waitFor()
  const emailOf = async () => (await inbox.ask('GET', `/api/v1/inboxes/${inbox.inboxId}`)).body.data.email
  return { inbox, page, emailOf }
}

/** Follows the link to the provider, which sends the new tab back at once. */
async function visitProvider(page: Page, texts: { open: (provider: string) => string } = english) {
  const opened = page.context().waitForEvent('page')
  await page.getByRole('link', { name: texts.open('Google') }).click()
  const tab = await opened
  await tab.getByRole('heading').waitFor()
  return tab
}

test('a person signs in with Google, the inbox then reads and sends by it, and the sign-in is removed', async () => {
  const { page, emailOf } = await openMailboxes()
  provider.person = 'desk@acme.test'
  await mailbox(page).getByText(english.nobody).waitFor()
  expect(await violationsOf(page, '.list-pane')).toEqual([])
  await mailbox(page)
    .getByRole('button', { name: english.signIn('Google') })
    .click()
  await mailbox(page).getByText(english.waiting('Google')).waitFor()
  expect(await violationsOf(page, '.list-pane')).toEqual([])
  const tab = await visitProvider(page)
  await tab.getByRole('heading', { name: 'Access was granted' }).waitFor()
  await mailbox(page).getByText('Signed in as desk@acme.test at Google').waitFor()
  await expect
    .poll(async () => {
      const { imap, smtp, transport } = await emailOf()
      return [imap?.auth, smtp?.auth, transport]
    })
    .toEqual(['oauth', 'oauth', 'smtp'])
  await mailbox(page).getByRole('button', { name: english.signOut }).click()
  await mailbox(page).getByText(english.nobody).waitFor()
  expect((await emailOf()).oauth).toBeNull()
})

test('a sign-in that was cancelled or refused changes nothing, and says so', async () => {
  const { page, emailOf } = await openMailboxes()
  const start = mailbox(page).getByRole('button', { name: english.signIn('Google') })
  await start.click()
  await mailbox(page).getByRole('button', { name: english.cancel }).click()
  await mailbox(page).getByText(english.cancelled).waitFor()
  provider.isDenied = true
  await start.click()
  const tab = await visitProvider(page)
  await tab.getByRole('heading', { name: 'Access was not granted' }).waitFor()
  await mailbox(page).getByText(english.denied('Google')).waitFor()
  expect(await violationsOf(page, '.list-pane')).toEqual([])
  await mailbox(page)
    .getByRole('button', { name: english.signIn('Microsoft') })
    .click()
  await mailbox(page).getByText(english.notConfigured('Microsoft')).waitFor()
  expect((await emailOf()).oauth).toBeNull()
})

test('a sign-in that the provider has ended asks for another one, and that one mends it', async () => {
  const { inbox, page } = await openMailboxes()
  provider.person = 'desk@acme.test'
  await mailbox(page)
    .getByRole('button', { name: english.signIn('Google') })
    .click()
  await visitProvider(page)
  await mailbox(page).getByText('Signed in as desk@acme.test at Google').waitFor()
  // The service asks for access at the next connection, and a test of the servers makes one.
  provider.endGrants()
  await inbox.ask('POST', `/api/v1/inboxes/${inbox.inboxId}/email-test`, {})
  await page.reload()
  await mailbox(page).getByText(english.ended('Google')).waitFor()
  await mailbox(page).getByRole('button', { name: english.again }).click()
  await visitProvider(page)
  await mailbox(page).getByText(english.ended('Google')).waitFor({ state: 'hidden' })
})

test('the screen speaks German on a phone, and only admins have it', async () => {
  const german = deMore.mailboxes
  const inbox = await makeMailInbox(service, { transport: 'none' })
  const options = { locale: 'de-DE', viewport: { width: 360, height: 740 } }
  const { page } = await openConsole(browser, `${service.url}/console/mailboxes`, options)
  await page.getByLabel('E-Mail').fill(inbox.owner.email)
  await page.getByLabel('Passwort').fill(password)
  await page.getByRole('button', { name: 'Anmelden' }).click()
  await page.getByRole('heading', { name: german.title }).waitFor()
  await mailbox(page)
    .getByRole('button', { name: german.signIn('Google') })
    .click()
  await mailbox(page).getByText(german.waiting('Google')).waitFor()
  expect([await violationsOf(page), await fitsOf(page)]).toEqual([[], true])
  await visitProvider(page, german)
  await mailbox(page).getByText('Angemeldet als').waitFor()
  expect([await violationsOf(page), await fitsOf(page)]).toEqual([[], true])

  const agent = await joinAs(service.url, inbox.owner.token, 'agent')
  const { page: theirs } = await openConsole(browser, `${service.url}/console/`)
  await signIn(theirs, agent)
  await theirs.getByRole('link', { name: 'Customers' }).waitFor()
  expect(await theirs.getByRole('link', { name: english.title }).count()).toBe(0)
})
