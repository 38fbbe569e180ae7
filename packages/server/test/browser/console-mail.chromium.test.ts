import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { makeMailInbox } from '../support/mail-inbox.ts'
import { useService } from '../support/use-service.ts'
import { joinAs, openConsole, signIn, violationsOf } from './support/console-browser.ts'
import { useBrowser } from './support/use-browser.ts'

// Mails that the service could not place, and what a person makes of them.

const running = useService({ CRM_SECRETS_KEY: 'the key of these tests which is long enough' })
const browser = useBrowser()

/** A tenant with a parked mail, and its owner on the screen of these mails. */
async function openMails(options: object = {}) {
  const inbox = await makeMailInbox(running, { transport: 'none' })
  const park = async (subject: string) => {
    const headers = [`Subject: ${subject}`]
    const mail = await inbox.receive({ from: 'undisclosed', text: `About: ${subject}`, headers })
    expect(mail).toMatchObject({ status: 'parked', reason: 'no_sender' })
    return mail
  }
  await park('The lamp is broken')
  const { page, complaints } = await openConsole(browser, `${running.url}/console/mail`, options)
  await signIn(page, inbox.owner.email)
  const list = page.getByRole('list', { name: 'Mail that needs you' })
  const dialog = page.getByRole('dialog')
  return { inbox, park, page, complaints, list, dialog }
}

describe('mail that needs a person', () => {
  test('is listed with its reason, read and made a conversation by the keyboard, and has a link with its number', async () => {
    const { page, complaints, list, dialog, park } = await openMails()
    const row = list.getByRole('button', { name: /The lamp is broken/ })
    await row.getByText('Unknown sender').waitFor()
    await row.getByText('It names no sender').waitFor()
    const link = page.getByRole('link', { name: /Mail that needs you/ })
    await link.getByText('1', { exact: true }).waitFor()
    await park('A second one')
    await link.getByText('2', { exact: true }).waitFor()
    await list.getByRole('button', { name: /A second one/ }).waitFor()

    await row.focus()
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Show the mail' }).press('Enter')
    await dialog.getByText('About: The lamp is broken').waitFor()
    await dialog.getByRole('button', { name: 'Make a conversation' }).press('Enter')
    await dialog.getByLabel('Address of the sender').fill('grace@example.com')
    await dialog.getByLabel('Name of the sender').fill('Grace Hopper')
    await page.keyboard.press('Enter')
    await page.getByRole('log').getByText('About: The lamp is broken').waitFor()
    await link.getByText('1', { exact: true }).waitFor()
    expect(complaints).toEqual([])
  })

  test('is found by a word, added to a conversation that exists, or discarded', async () => {
    const { inbox, park, page, list, dialog } = await openMails()
    await park('An invoice')
    const { conversationId } = await inbox.receive({ headers: [`Subject: Lamps of ${randomUUID()}`] })
    const { subject } = await inbox.conversationOf(conversationId)
    await page.getByRole('searchbox', { name: 'Search by sender or subject' }).fill('lamp')
    await list.getByRole('button', { name: /An invoice/ }).waitFor({ state: 'hidden' })
    await list.getByRole('button', { name: /The lamp is broken/ }).click()
    await dialog.getByRole('button', { name: 'Make a conversation' }).click()
    await dialog.getByLabel('Address of the sender').fill('grace@example.com')
    await dialog.getByLabel('A conversation that exists').check()
    await dialog.getByRole('combobox').fill(subject.slice(-12))
    await dialog.getByRole('option', { name: subject }).click()
    await dialog.getByRole('button', { name: 'Make a conversation' }).click()
    await page.getByRole('log').getByText('About: The lamp is broken').waitFor()
    expect((await inbox.messagesOf(conversationId)).length).toBe(2)

    await page.getByRole('link', { name: /Mail that needs you/ }).click()
    await list.getByRole('button', { name: /An invoice/ }).click()
    // A slip is no loss.
    await dialog.getByRole('button', { name: 'Discard' }).click()
    await dialog.getByRole('button', { name: 'Keep it' }).click()
    await dialog.getByRole('button', { name: 'Discard' }).click()
    await dialog.getByRole('button', { name: 'Discard the mail' }).click()
    await page.getByText('No mail needs you').waitFor()
    const { data } = (await inbox.ask('GET', '/api/v1/inbound-mails?reason=discarded')).body
    expect(data).toMatchObject([{ subject: 'An invoice' }])
  })

  test('is processed again by the keyboard, and what became of it is said in words', async () => {
    const { inbox, page, complaints, list, dialog } = await openMails()
    const { conversationId } = await inbox.receive({ from: 'Bob <bob@example.com>' })
    const { customerId: bob } = await inbox.conversationOf(conversationId)
    const other = await inbox.ask('POST', '/api/v1/inboxes', { name: 'Other', isDefault: true })
    expect(other.status).toBe(201)
    const setActive = async (isActive: boolean) => {
      const { status } = await inbox.ask('PUT', `/api/v1/inboxes/${inbox.inboxId}`, { isActive })
      expect(status).toBe(200)
    }
    const parkOf = async (from: string) => {
      await setActive(false)
      const mail = await inbox.receive({ from, text: `Words of ${from}` })
      expect(mail).toMatchObject({ status: 'parked', reason: 'inbox_inactive' })
    }
    const row = list.getByRole('button', { name: /Its inbox is switched off/ })
    const again = dialog.getByRole('button', { name: 'Process again' })

    await parkOf('ada@example.com')
    await row.press('Enter')
    await again.press('Enter')
    const sentence = 'The mail was processed again and still needs you. Its inbox is switched off.'
    await dialog.getByRole('status').getByText(sentence).waitFor()
    // The next press of the key is another try.
    await expect.poll(() => page.evaluate('document.activeElement?.textContent')).toBe('Process again')
    await setActive(true)
    await page.keyboard.press('Enter')
    await page.getByText('The mail is in its conversation').waitFor()
    await page.getByRole('log').getByText('Words of ada@example.com').waitFor()

    await parkOf('bob@example.com')
    expect((await inbox.ask('POST', `/api/v1/customers/${bob._id}/block`, {})).status).toBe(200)
    await setActive(true)
    await page.getByRole('link', { name: /Mail that needs you/ }).click()
    await row.press('Enter')
    await again.press('Enter')
    await page.getByText('The mail became no message. Its sender is blocked.').waitFor()
    await dialog.waitFor({ state: 'hidden' })
    await row.waitFor({ state: 'hidden' })
    await list.getByRole('button', { name: /The lamp is broken/ }).waitFor()
    expect(complaints).toEqual([])
  })

  test('cannot be processed again as a copy, and says why the service refuses it', async () => {
    const { inbox, page, list, dialog } = await openMails()
    const copyOf = (subject: string) => ({
      id: 'one@example.com',
      headers: ['Date: Sun, 22 Nov 2026 10:00:00 +0000', `Subject: ${subject}`],
    })
    await inbox.receive(copyOf('The first'))
    const copy = await inbox.receive({ ...copyOf('A copy'), text: 'Other words' })
    expect(copy).toMatchObject({ status: 'ignored', reason: 'duplicate' })
    const again = dialog.getByRole('button', { name: 'Process again' })
    await list.getByRole('button', { name: /A copy/ }).click()
    await dialog.getByRole('button', { name: 'Show the mail' }).waitFor()
    expect(await again.count()).toBe(0)
    await page.keyboard.press('Escape')

    await list.getByRole('button', { name: /The lamp is broken/ }).click()
    await again.waitFor()
    const { data } = (await inbox.ask('GET', '/api/v1/inbound-mails?reason=no_sender')).body
    const byColleague = await inbox.ask('POST', `/api/v1/inbound-mails/${data[0]._id}/make-conversation`, {
      sender: { address: 'grace@example.com' },
    })
    expect(byColleague.status).toBe(201)
    await again.click()
    await dialog.getByRole('alert').getByText('Details').click()
    await dialog.getByRole('alert').getByText('Only a parked mail').waitFor()
    expect(await dialog.getByRole('status').textContent()).toBe('')
  })

  test('violates no rule of axe, light and dark, and stays on a screen of 360 px', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, list, dialog } = await openMails({ colorScheme })
      await page.setViewportSize({ width: 360, height: 740 })
      const row = list.getByRole('button', { name: /The lamp is broken/ })
      await row.waitFor()
      expect(await violationsOf(page)).toEqual([])
      await row.click()
      await dialog.getByRole('button', { name: 'Process again' }).click()
      await dialog
        .getByRole('status')
        .getByText(/still needs you. It names no sender/)
        .waitFor()
      await dialog.getByRole('button', { name: 'Show the mail' }).click()
      await dialog.getByText('About: The lamp is broken').waitFor()
      await dialog.getByRole('button', { name: 'Make a conversation' }).click()
      await dialog.getByLabel('A new conversation of a customer whom you choose').check()
      expect(await violationsOf(page)).toEqual([])
      const width = await page.evaluate<number>('document.documentElement.scrollWidth')
      expect(width).toBeLessThanOrEqual(360)
      await page.context().close()
    }
  })

  test('is no matter of an agent', async () => {
    const { inbox } = await openMails()
    const email = await joinAs(running.url, inbox.owner.token, 'agent')
    const { page } = await openConsole(browser, `${running.url}/console/`)
    await signIn(page, email)
    await page.getByRole('link', { name: /^Open/ }).waitFor()
    await expect.poll(() => page.getByRole('link', { name: /Mail that needs you/ }).count()).toBe(0)
  })
})
