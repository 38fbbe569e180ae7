import { completeEmail } from '@crmkit/core'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call, registerTenant } from '../support/call.ts'
import { fifteenCleanMinutes } from '../support/doors.ts'
import { type Dovecot, dovecotPassword, startDovecot } from '../support/dovecot.ts'
import { makeCertificate, type TestCertificate } from '../support/https-receiver.ts'
import { makeImapInbox } from '../support/imap-inbox.ts'
import { makeMailInbox } from '../support/mail-inbox.ts'
import { type RunningService, startService } from '../support/start-service.ts'
import { joinAs, openConsole, signIn, violationsOf } from './support/console-browser.ts'
import { useBrowser } from './support/use-browser.ts'

// The console says above its screens which doors do not work at present, and the next step.

const browser = useBrowser()
let certificate: TestCertificate
let dovecot: Dovecot
let service: RunningService
beforeAll(async () => {
  certificate = await makeCertificate()
  dovecot = await startDovecot(certificate)
  service = await startService({ CRM_MAIL_CA_FILE: certificate.caFile })
})
afterAll(async () => {
  await service?.stop()
  await dovecot?.stop()
  certificate.remove()
})

async function openAs(email: string, url = service.url) {
  const { page } = await openConsole(browser, `${url}/console/`)
  await signIn(page, email)
  await page.getByRole('navigation', { name: 'Views' }).waitFor()
  return page
}

const lineOf = (page: Page) => page.getByText(/has not come in since/)

test('a mailbox whose password has changed is a line without a reload, for each role with its next step, until it works again', async () => {
  const inbox = await makeImapInbox(service, dovecot)
  await inbox.open()
  const agent = await joinAs(service.url, inbox.owner.token, 'agent')
  const [ownersPage, agentsPage] = [await openAs(inbox.owner.email), await openAs(agent)]
  try {
    expect(await lineOf(ownersPage).count()).toBe(0)
    await inbox.setPassword('wrong')
    await lineOf(ownersPage).waitFor({ timeout: 60_000 })
    await lineOf(agentsPage).waitFor()
    await ownersPage.getByText('Enter the password of the mailbox again').waitFor()
    await agentsPage.getByText('Tell an admin of your team.').waitFor()
    await ownersPage.setViewportSize({ width: 360, height: 740 })
    expect(await violationsOf(ownersPage)).toEqual([])
    const widths = 'document.documentElement.scrollWidth <= window.innerWidth'
    expect(await ownersPage.evaluate(widths)).toBe(true)
    await ownersPage.reload()
    await lineOf(ownersPage).waitFor({ timeout: 60_000 })
    await inbox.setPassword(dovecotPassword)
    await fifteenCleanMinutes(inbox, 'mailbox')
    await lineOf(ownersPage).waitFor({ state: 'hidden' })
    await lineOf(agentsPage).waitFor({ state: 'hidden' })
  } finally {
    await inbox.setImap(null)
  }
})

test('a mailbox of a sign-in at its provider asks for another sign-in, and for no password', async () => {
  const inbox = await makeMailInbox(service, { transport: 'none' })
  const { tenant } = inbox.owner
  const stored = await inbox.store.inboxes.find(inbox.inboxId)
  const ok = { ok: false, checkedAt: null, error: null, reauthRequired: true, lastMailAt: null }
  const imap = {
    enabled: true,
    auth: 'oauth',
    host: 'imap.gmail.com',
    port: 993,
    security: 'tls',
    user: 'ada@acme.test',
    folder: 'INBOX',
    since: null,
    status: ok,
  } as const
  const now = new Date().toISOString()
  const door = {
    _id: 'dor_1',
    tenantId: tenant._id,
    door: 'mailbox',
    inboxId: inbox.inboxId,
    integrationId: null,
    reason: 'Google has ended the sign-in to the mailbox: sign in again.',
    isSignInRefused: true,
    since: now,
    worksSince: null,
    failingSince: now,
    mailedAt: now,
    waiting: 0,
    checkAt: null,
    createdAt: now,
    updatedAt: now,
  } as const
  // `sign-in.dovecot.test.ts` proves that an ended grant is noted; this is about the words of the line.
  await inbox.store.commit({
    writes: [
      {
        op: 'update',
        kind: 'inboxes',
        id: inbox.inboxId,
        expectVersion: stored?.version ?? 0,
        set: { email: { ...completeEmail(stored?.email), imap } },
      },
      { op: 'insert', kind: 'doors', row: door },
    ],
    events: [],
  })
  const page = await openAs(inbox.owner.email)
  await lineOf(page).waitFor()
  expect(await page.getByText('Enter the password of the mailbox again').count()).toBe(0)
  await page.getByRole('link', { name: 'Sign in to the mailbox again' }).click()
  await page.getByRole('heading', { name: 'Mailboxes' }).waitFor()
})

test('a person whose requests are refused for a while reads until when, and the page goes on by itself', async () => {
  const limited = await startService({ CRM_RATE_LIMITS: 'on', CRM_LIMIT_USER_PER_MINUTE: '60' })
  try {
    const tenant = await registerTenant(limited.url)
    const page = await openAs(tenant.email, limited.url)
    const request = { path: '/api/v1/users/me', token: tenant.token }
    const refusedForSeconds = async () => {
      const replies = await Promise.all(Array.from({ length: 70 }, () => call(limited.url, request)))
      return Math.max(...replies.map(({ headers }) => Number(headers.get('retry-after'))))
    }
    // The minute has begun with the sign-in: in the last seconds of one the line would go again before anybody sees it.
    await expect.poll(refusedForSeconds, { interval: 1_000 }).toBeGreaterThan(30)
    await page.getByRole('link', { name: 'Closed' }).click()
    const line = page.getByText(/This page goes on by itself at \d+:\d{2}:\d{2}/)
    await line.waitFor()
    expect(await violationsOf(page)).toEqual([])
    await line.waitFor({ state: 'hidden', timeout: 70_000 })
    await page.locator('.skeleton-row').first().waitFor({ state: 'hidden' })
  } finally {
    await limited.stop()
  }
})
