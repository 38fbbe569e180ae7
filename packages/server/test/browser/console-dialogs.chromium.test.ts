import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { makeMailInbox } from '../support/mail-inbox.ts'
import { useService } from '../support/use-service.ts'
import { commandsShown, openConsole, violationsOf } from './support/console-browser.ts'
import { useBrowser } from './support/use-browser.ts'

const running = useService({ CRM_MAIL_DOMAIN: 'in.acme.test' })
const browser = useBrowser()

/** The commands that open no dialog. */
const withoutDialog =
  /^(Next|Previous) (conversation|pane)$|^Write a |^Send( and close)?$|^Close$|^Reopen$|^Assign to me$|^Mark as |^Go to |^Choose |^Undo$|^Sign out$/

const screens = (['light', 'dark'] as const).flatMap((colorScheme) => [
  { colorScheme, viewport: { width: 1440, height: 900 } },
  { colorScheme, viewport: { width: 360, height: 740 } },
])

/** Elements that reach beyond the sides of the screen. */
const beyond = (page: Page) =>
  page.evaluate(`[...document.querySelectorAll('dialog[open], dialog[open] *, form.composer *')]
    .filter((one) => one.checkVisibility() && one.getBoundingClientRect().right > innerWidth + 1)
    .map((one) => one.outerHTML)`)

const date = new Date(Date.now() + 3 * 24 * 3_600_000).toISOString().slice(0, 10)

describe.each(screens)('with the theme $colorScheme and $viewport.width pixels', (options) => {
  test('no dialog, empty or filled, and no recipients with an error violate a rule of axe or leave the screen', async () => {
    const inbox = await makeMailInbox(running)
    const { conversationId = '' } = await inbox.receive({ headers: ['Cc: carol@example.com'] })
    const address = `${running.url}/console/inbox/open/-/-/${conversationId}`
    const { page, complaints } = await openConsole(browser, address, options)
    await signInAt(page, inbox.owner.email)
    const check = async (place: string, part: string) =>
      expect([place, await violationsOf(page, part), await beyond(page)]).toEqual([place, [], []])
    const openByText = async (text: string) => {
      await page.keyboard.press('Control+k')
      const palette = page.getByRole('dialog', { name: 'Commands' })
      await palette.getByRole('option').first().waitFor()
      await page.keyboard.type(text)
      await page.keyboard.press('Enter')
      if (text !== 'All commands') await palette.waitFor({ state: 'hidden' })
      await page.locator('dialog[open] .dialog-body > *').first().waitFor()
    }
    const close = async () => {
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
    }
    const dialogs = (await commandsShown(page)).filter(({ text }) => !withoutDialog.test(text))
    expect(dialogs.length).toBeGreaterThan(15)
    for (const { text } of dialogs) {
      await openByText(text)
      await check(text, 'dialog')
      await close()
    }
    const field = page.getByRole('textbox', { name: 'New message' })
    await page.getByRole('button', { name: 'Change', exact: true }).click()
    await page.getByLabel('Bcc', { exact: true }).fill('Dan <dan@example.com>, nobody')
    await field.fill('It was sent today')
    await page.getByText('“nobody” is no address.').waitFor()
    await check('recipients with an error', 'form.composer')
    await page.getByLabel('Bcc', { exact: true }).fill('')
    await openByText('Send later')
    await page.getByRole('option', { name: 'Another time' }).click()
    await page.getByLabel('Another time').fill(`${date}T08:30`)
    await page.getByLabel('Do not send it when').uncheck()
    await check('Send later, filled', 'dialog')
    await page.getByRole('button', { name: 'Plan the reply' }).click()
    await page.getByRole('region', { name: 'Send later' }).waitFor()
    await check('a planned reply', '.thread-foot')
    expect(complaints).toEqual([])
    await page.context().close()
  })
})

/** On a narrow screen the views are behind a button. */
async function signInAt(page: Page, email: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill('correct horse battery')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('log').getByText('Hi').waitFor()
}
