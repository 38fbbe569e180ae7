import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { call, password, registerTenant } from '../support/call.ts'
import { makeMailInbox } from '../support/mail-inbox.ts'
import { useService } from '../support/use-service.ts'
import { openConsole, signIn, violationsOf, writeAsCustomer } from './support/console-browser.ts'
import { useBrowser } from './support/use-browser.ts'

// The formats of a reply, the ways to send it, and the limits of its files.

const running = useService({ CRM_MAIL_DOMAIN: 'in.acme.test' })
const browser = useBrowser()

const fieldOf = (page: Page) => page.getByRole('textbox', { name: 'New message' })
const waiting = (page: Page) => page.getByRole('region', { name: 'Waiting to be sent' })
const preview = (page: Page) => page.getByRole('region', { name: 'Preview' })

async function openConversation(options: BrowserContextOptions = {}) {
  const tenant = await registerTenant(running.url)
  const texts = { subject: 'A broken lamp', content: 'The lamp does not switch on.' }
  const id = await writeAsCustomer(running.url, tenant.token, texts)
  const address = `${running.url}/console/inbox/open/-/-/${id}`
  const { page, complaints } = await openConsole(browser, address, options)
  const ask = async (path: string) =>
    (await call(running.url, { path: `/api/v1/conversations/${id}${path}`, token: tenant.token })).body.data
  return { page, complaints, ask, email: tenant.email, texts }
}

async function openSignedIn() {
  const opened = await openConversation()
  await signIn(opened.page, opened.email)
  await opened.page.getByRole('log').getByText(opened.texts.content).waitFor()
  await opened.page.getByRole('toolbar', { name: 'Format' }).waitFor()
  return opened
}

test('keys format the text, the preview shows it, one undo takes it back, and the reply has the formats for its reader', async () => {
  const { page, ask, complaints } = await openSignedIn()
  await fieldOf(page).click()
  await page.keyboard.type('Try the switch')
  await page.keyboard.press('Shift+Home')
  await page.keyboard.press('Control+b')
  expect(await fieldOf(page).inputValue()).toBe('**Try the switch**')
  await preview(page).locator('strong', { hasText: 'Try the switch' }).waitFor()
  expect(await violationsOf(page)).toEqual([])
  await page.keyboard.press('Control+b')
  expect(await fieldOf(page).inputValue()).toBe('Try the switch')
  await page.keyboard.press('Control+z')
  expect(await fieldOf(page).inputValue()).toBe('**Try the switch**')
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.keyboard.type('then the bulb')
  await page.keyboard.press('Control+Shift+Digit8')
  await page.keyboard.press('Enter')
  await page.keyboard.type('- ')
  await page.keyboard.press('Control+e')
  await page.keyboard.type('E27')
  expect(await fieldOf(page).inputValue()).toBe('**Try the switch**\n- then the bulb\n- `E27`')
  await preview(page).locator('li code', { hasText: 'E27' }).waitFor()
  await page.keyboard.press('Control+Enter')
  await waiting(page).getByRole('button', { name: 'Send now' }).click()
  const sent = page.locator('.message[data-message]').filter({ hasText: 'then the bulb' })
  await sent.locator('strong', { hasText: 'Try the switch' }).waitFor()
  expect(await sent.locator('li').allTextContents()).toEqual(['then the bulb', 'E27'])
  expect((await ask('/messages')).at(-1)).toMatchObject({ contentType: 'markdown' })
  // The next message begins without formats.
  expect(await preview(page).count()).toBe(0)
  expect(complaints).toEqual([])
})

test('the toolbar is one stop of the Tab key with arrows inside, and a text can lose its formats', async () => {
  const { page, ask } = await openSignedIn()
  await fieldOf(page).fill('Look here')
  await fieldOf(page).selectText()
  await page.keyboard.press('Tab')
  const focused = () => page.evaluate('document.activeElement.getAttribute("aria-label")')
  expect(await focused()).toBe('Bold')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  expect(await focused()).toBe('Link')
  await page.keyboard.press('Enter')
  expect(await fieldOf(page).inputValue()).toBe('[Look here](https://)')
  await page.keyboard.type('https://shop.example/lamp')
  await preview(page).getByRole('link', { name: 'Look here' }).waitFor()
  expect(await preview(page).getByRole('link').getAttribute('href')).toBe('https://shop.example/lamp')
  await page.getByRole('checkbox', { name: 'Preview' }).uncheck()
  expect(await preview(page).count()).toBe(0)
  await page.getByRole('checkbox', { name: 'Preview' }).check()
  await page.getByRole('button', { name: 'Without formats' }).click()
  expect(await preview(page).count()).toBe(0)
  await expect.poll(async () => (await ask('/draft'))?.contentType).toBe('text')
})

test('a mail with formats has them as HTML, as its preview has shown', async () => {
  const inbox = await makeMailInbox(running)
  const { conversationId: id = '' } = await inbox.receive()
  const { page } = await openConsole(browser, `${running.url}/console/inbox/open/-/-/${id}`)
  await signIn(page, inbox.owner.email)
  await page.getByRole('toolbar', { name: 'Format' }).waitFor()
  await fieldOf(page).fill('It works')
  await fieldOf(page).selectText()
  await page.keyboard.press('Control+i')
  await preview(page).locator('em', { hasText: 'It works' }).waitFor()
  await page.keyboard.press('Control+Enter')
  await waiting(page).getByRole('button', { name: 'Send now' }).click()
  await page.getByRole('log').locator('em', { hasText: 'It works' }).waitFor()
  const { content, contentType } = (await inbox.messagesOf(id)).at(-1)
  expect({ content, contentType }).toEqual({ content: '_It works_', contentType: 'markdown' })
})

test('the arrow beside Send opens the other ways by keys and by mouse, and gives the focus back', async () => {
  const { page, ask } = await openSignedIn()
  const more = page.getByRole('button', { name: 'More ways to send' })
  expect(await more.isDisabled()).toBe(true)
  await fieldOf(page).fill('Done')
  await more.focus()
  await page.keyboard.press('Enter')
  const menu = page.getByRole('menu', { name: 'More ways to send' })
  await menu.waitFor()
  expect(await violationsOf(page)).toEqual([])
  const focused = () => page.evaluate('document.activeElement.name')
  await expect.poll(focused).toBe('send-and-close')
  await page.keyboard.press('ArrowDown')
  await expect.poll(focused).toBe('send-later')
  await page.keyboard.press('Escape')
  await menu.waitFor({ state: 'hidden' })
  expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('More ways to send')
  await more.click()
  await menu.waitFor()
  await page.getByRole('log').click()
  await menu.waitFor({ state: 'hidden' })
  await more.click()
  await menu.getByRole('menuitem', { name: 'Send and close' }).click()
  await waiting(page).getByRole('button', { name: 'Send now' }).click()
  await page.getByText('Sent and closed').waitFor()
  await expect.poll(async () => (await ask('')).status).toBe('closed')
})

test('the limits of files stand there before, and a file above them is named without an upload', async () => {
  const { page } = await openSignedIn()
  await page.getByText('up to 10, 10 MB each').waitFor()
  const uploads: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/api/v1/attachments')) uploads.push(request.method())
  })
  const file = (name: string, bytes: number) => ({
    name,
    mimeType: 'text/plain',
    buffer: Buffer.alloc(bytes, 'a'),
  })
  await page
    .getByLabel('Attach files')
    .setInputFiles([file('large.txt', 10 * 1024 ** 2 + 1), file('a.txt', 1)])
  await page.getByText('large.txt could not be uploaded. It is larger than 10 MB.').waitFor()
  await page.getByRole('button', { name: 'Remove a.txt' }).waitFor()
  expect(uploads).toEqual(['POST'])
  const ten = Array.from({ length: 10 }, (_, index) => file(`${index}.txt`, 1))
  await page.getByLabel('Attach files').setInputFiles(ten)
  await page.getByText('9.txt could not be uploaded. A message has at most 10 files.').waitFor()
  await expect.poll(() => page.getByRole('button', { name: /^Remove / }).count()).toBe(10)
  // Files alone are a reply, also a later one.
  await page.getByRole('button', { name: 'More ways to send' }).click()
  await page.getByRole('menuitem', { name: 'Send later' }).click()
  await page.getByRole('dialog', { name: 'Send later' }).getByRole('combobox').waitFor()
})

test('on a phone, in German and dark, the formats and the ways to send have their names and fit', async () => {
  const options = { locale: 'de-DE', colorScheme: 'dark', viewport: { width: 320, height: 740 } } as const
  const { page, texts, email } = await openConversation(options)
  await page.getByLabel('E-Mail').fill(email)
  await page.getByLabel('Passwort').fill(password)
  await page.getByRole('button', { name: 'Anmelden' }).click()
  await page.getByRole('log').getByText(texts.content).waitFor()
  await page.getByRole('textbox', { name: 'Neue Nachricht' }).fill('Hallo')
  await page.getByRole('textbox', { name: 'Neue Nachricht' }).selectText()
  await page.getByRole('button', { name: 'Fett' }).click()
  await page.getByRole('region', { name: 'Vorschau' }).locator('strong').first().waitFor()
  await page.getByText('bis zu 10, je 10 MB').waitFor()
  await page.getByRole('button', { name: 'Weitere Arten zu senden' }).click()
  await page.getByRole('menuitem', { name: 'Später senden' }).waitFor()
  expect(await violationsOf(page)).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320)
})
