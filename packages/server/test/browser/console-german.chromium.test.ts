import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { de } from '../../../console/src/strings/de.ts'
import { deMore } from '../../../console/src/strings/de-more.ts'
import { en } from '../../../console/src/strings/en.ts'
import { more } from '../../../console/src/strings/more.ts'
import { password } from '../support/call.ts'
import { makeMailInbox } from '../support/mail-inbox.ts'
import { useService } from '../support/use-service.ts'
import { openConsole, violationsOf } from './support/console-browser.ts'
import { useBrowser } from './support/use-browser.ts'

// A person whose browser speaks German finds no English text of ours, and no German one that does not fit.

const running = useService({ CRM_MAIL_DOMAIN: 'in.acme.test' })
const browser = useBrowser()

function textsOf(texts: object): string[] {
  return Object.values(texts).flatMap((text) => {
    if (typeof text === 'string') return [text]
    return typeof text === 'object' && text !== null ? textsOf(text) : []
  })
}

const german = new Set([de, deMore].flatMap(textsOf))
/** The inboxes of a new team are named so. */
const inboxName = 'Inbox'
const english = [en, more].flatMap(textsOf).filter((text) => !german.has(text) && text !== inboxName)

/** Everything that a person reads or hears. */
const shown = (page: Page) =>
  page.evaluate<string[]>(`(() => {
    const texts = [document.title]
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) texts.push(walker.currentNode.data.trim())
    for (const one of document.querySelectorAll('*'))
      for (const name of ['aria-label', 'title', 'placeholder', 'alt']) texts.push(one.getAttribute(name) ?? '')
    return texts
  })()`)

/** Elements that reach beyond the sides of the screen. */
const beyond = (page: Page) =>
  page.evaluate(`[...document.querySelectorAll('body *')]
    .filter((one) => one.checkVisibility() && one.getBoundingClientRect().right > innerWidth + 1)
    .map((one) => one.outerHTML)`)

/** The commands that open no dialog. */
const withoutDialog = new Set<string>([
  ...(
    [
      'next',
      'previous',
      'nextPane',
      'previousPane',
      'reply',
      'note',
      'send',
      'sendAndClose',
      'close',
    ] as const
  ).map((name) => de.actions[name]),
  ...(['undo', 'reopen', 'assignToMe', 'markUnread', 'pending', 'choose', 'chooseTo'] as const).map(
    (name) => de.actions[name],
  ),
  de.actions.goTo(de.nav.mentions),
  ...Object.values(de.views).map((view) => de.actions.goTo(view)),
  de.nav.signOut,
])

describe.each([1440, 360])('with %i pixels', (width) => {
  test('the console speaks German to a browser of Austria, in every dialog', async () => {
    const inbox = await makeMailInbox(running)
    const { conversationId = '' } = await inbox.receive({ headers: ['Cc: carol@example.com'] })
    const address = `${running.url}/console/inbox/open/-/-/${conversationId}`
    const options = { locale: 'de-AT', viewport: { width, height: 800 } }
    const { page, complaints } = await openConsole(browser, address, options)
    const check = async (place: string) => {
      const texts = new Set(await shown(page))
      expect([place, english.filter((text) => texts.has(text))]).toEqual([place, []])
      expect([place, await violationsOf(page), await beyond(page)]).toEqual([place, [], []])
    }
    await page.getByRole('button', { name: 'Anmelden' }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('de-AT')
    await check('sign-in')
    await page.getByLabel('E-Mail').fill(inbox.owner.email)
    await page.getByLabel('Passwort').fill(password)
    await page.getByRole('button', { name: 'Anmelden' }).click()
    await page.getByRole('log').getByText('Hi').waitFor()
    await check('a conversation')

    const palette = page.getByRole('dialog', { name: 'Befehle' })
    const openPalette = async () => {
      await page.keyboard.press('Control+k')
      await palette.getByRole('option').first().waitFor()
    }
    await openPalette()
    await check('the commands')
    const commands = await page.evaluate<string[]>(
      `[...document.querySelectorAll('dialog [role=option] span:first-child')].map((one) => one.textContent)`,
    )
    const opening = commands.filter((text) => !withoutDialog.has(text))
    expect(opening.length).toBeGreaterThan(15)
    await page.keyboard.press('Escape')
    for (const text of opening) {
      await openPalette()
      await page.keyboard.type(text)
      await page.keyboard.press('Enter')
      if (text !== de.actions.palette) await palette.waitFor({ state: 'hidden' })
      await page.locator('dialog[open] .dialog-body > *').first().waitFor()
      await check(text)
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
    }
    expect(complaints).toEqual([])
    await page.context().close()
  })
})
