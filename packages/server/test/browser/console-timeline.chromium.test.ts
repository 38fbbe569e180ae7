import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { addColleague } from '../support/add-colleague.ts'
import { call, password, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'
import { openConsole, signIn } from './support/console-browser.ts'
import { useBrowser } from './support/use-browser.ts'

const running = useService()
const browser = useBrowser()

async function signInGerman(page: Page, email: string): Promise<void> {
  await page.getByLabel('E-Mail').fill(email)
  await page.getByLabel('Passwort').fill(password)
  await page.getByRole('button', { name: 'Anmelden' }).click()
}

/** A conversation with a message and changes, which a person has open. */
async function openChanged(locale?: string) {
  const { token, email, user } = await registerTenant(running.url)
  const ask = async (method: string, path: string, body?: object) => {
    const response = await call(running.url, { method, path: `/api/v1${path}`, token, body })
    expect(response.body.error).toBeUndefined()
    return response.body.data
  }
  await ask('PUT', '/users/me', { firstName: 'Ada', lastName: 'King' })
  const [{ _id: inboxId }] = await ask('GET', '/inboxes')
  const { _id } = await ask('POST', '/conversations', { subject: 'Lamp', inboxId })
  const change = (body: object) => ask('PUT', `/conversations/${_id}`, body)
  await ask('POST', `/conversations/${_id}/messages`, { content: 'It is broken.', direction: 'inbound' })
  await change({ status: 'pending', priority: 'high' })
  await ask('POST', `/conversations/${_id}/messages`, { content: 'We look.', type: 'note' })
  const { page } = await openConsole(browser, `${running.url}/console/inbox/pending/-/-/${_id}`, {
    ...(locale && { locale }),
  })
  await (locale === undefined ? signIn(page, email) : signInGerman(page, email))
  await page.getByRole('log').getByText('It is broken.').waitFor()
  const lines = async () => {
    const texts = await page.getByRole('log').locator('.activity-line bdi, .message-body').allTextContents()
    return texts.map((text) => text.trim())
  }
  return { page, user, change, lines }
}

test('the changes of a conversation stand between its messages as quiet lines, and new ones appear by themselves', async () => {
  const { page, user, change, lines } = await openChanged()
  await expect
    .poll(lines)
    .toEqual([
      'Ada King started this conversation',
      'It is broken.',
      'Ada King: Status: Open → Pending · Priority: Medium → High',
      'We look.',
    ])
  await change({ assignedTo: user._id })
  await page.getByRole('log').getByText('Ada King assigned this to Ada King').waitFor()
  await change({ labels: ['billing'] })
  const together = 'Ada King: Assigned to Ada King · Labels: +billing'
  await page.getByRole('log').getByText(together).waitFor()
  expect((await lines()).slice(-2)).toEqual(['We look.', together])
})

test('a reader of German reads the changes in German', async () => {
  const { user, change, page, lines } = await openChanged('de-AT')
  await change({ assignedTo: user._id })
  await page.getByRole('log').getByText('Ada King hat Ada King zugewiesen').waitFor()
  expect(await lines()).toEqual([
    'Ada King hat das Gespräch begonnen',
    'It is broken.',
    'Ada King: Status: Offen → Ausstehend · Priorität: Mittel → Hoch',
    'We look.',
    'Ada King hat Ada King zugewiesen',
  ])
})

test('a note shows the names of those whom it mentions', async () => {
  const { token, email, user, tenant } = await registerTenant(running.url)
  const ask = async (method: string, path: string, body?: object) => {
    const response = await call(running.url, { method, path: `/api/v1${path}`, token, body })
    expect(response.body.error).toBeUndefined()
    return response.body.data
  }
  const ben = await addColleague(running, { tenantId: tenant._id, role: 'agent' })
  await ask('PUT', `/users/${ben.userId}`, { firstName: 'Ben', lastName: 'Fry' })
  const [{ _id: inboxId }] = await ask('GET', '/inboxes')
  const { _id } = await ask('POST', '/conversations', { subject: 'Lamp', inboxId })
  // Nobody is mentioned by their own note.
  const content = `Ask @[${ben.userId}] and @[${user._id}]`
  await ask('POST', `/conversations/${_id}/messages`, { content, type: 'note' })
  const { page } = await openConsole(browser, `${running.url}/console/inbox/open/-/-/${_id}`)
  await signIn(page, email)
  await page.getByRole('log').getByText(`Ask @Ben Fry and @[${user._id}]`).waitFor()
})
