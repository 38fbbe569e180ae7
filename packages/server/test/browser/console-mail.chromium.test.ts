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

  test('violates no rule of axe, light and dark, and stays on a screen of 360 px', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, list, dialog } = await openMails({ colorScheme })
      await page.setViewportSize({ width: 360, height: 740 })
      const row = list.getByRole('button', { name: /The lamp is broken/ })
      await row.waitFor()
      expect(await violationsOf(page)).toEqual([])
      await row.click()
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
