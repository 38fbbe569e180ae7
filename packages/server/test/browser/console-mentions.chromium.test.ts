import type { BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { de } from '../../../console/src/strings/de.ts'
import { deMore } from '../../../console/src/strings/de-more.ts'
import { en } from '../../../console/src/strings/en.ts'
import { more } from '../../../console/src/strings/more.ts'
import { addColleague } from '../support/add-colleague.ts'
import { call, password, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'
import { joinAs, openConsole, violationsOf } from './support/console-browser.ts'
import { useBrowser } from './support/use-browser.ts'

// Colleagues mention each other in notes: the one writes a name, and the other one finds the note.

const running = useService()
const browser = useBrowser()

async function signInWith(page: Page, email: string, { signIn }: typeof en | typeof de): Promise<void> {
  await page.getByLabel(signIn.email).fill(email)
  await page.getByLabel(signIn.password).fill(password)
  await page.getByRole('button', { name: signIn.submit }).click()
}

/** A conversation about a lamp, with Ben Fry, Bénédicte Moss and a former colleague in the team of its author. */
async function openLamp(options: BrowserContextOptions = {}, texts: typeof en | typeof de = en) {
  const { token, email, tenant } = await registerTenant(running.url)
  const ask = async (method: string, path: string, body?: object) => {
    const response = await call(running.url, { method, path: `/api/v1${path}`, token, body })
    expect(response.body.error).toBeUndefined()
    return response.body.data
  }
  const join = async (firstName: string, lastName: string) => {
    const { userId } = await addColleague(running, { tenantId: tenant._id, role: 'agent' })
    await ask('PUT', `/users/${userId}`, { firstName, lastName })
    return userId
  }
  const ben = await join('Ben', 'Fry')
  const benedicte = await join('Bénédicte', 'Moss')
  await ask('PUT', `/users/${await join('Benno', 'Old')}`, { isActive: false })
  const [{ _id: inboxId }] = await ask('GET', '/inboxes')
  const { _id: id } = await ask('POST', '/conversations', { subject: 'Lamp', inboxId })
  const tab = await openConsole(browser, `${running.url}/console/inbox/open/-/-/${id}`, options)
  const { page } = tab
  await signInWith(page, email, texts)
  const field = page.getByRole('textbox', { name: texts.composer.label })
  await page.getByRole('button', { name: texts.composer.note, exact: true }).click()
  const offered = page.getByRole('listbox', { name: texts.composer.colleagues }).getByRole('option')
  const notes = async () =>
    (await ask('GET', `/conversations/${id}/messages`)).map(({ content }: { content: string }) => content)
  return { ...tab, field, offered, ben, benedicte, notes }
}

const chosenOf = (page: Page) =>
  page.evaluate(`document.getElementById(document.querySelector('#composer').getAttribute('aria-activedescendant'))
    ?.querySelector('span').textContent`)

test('an @ in a note offers active colleagues, and the keys put a name there that the service stores as an id', async () => {
  const { page, complaints, field, offered, ben, benedicte, notes } = await openLamp()
  await field.pressSequentially('Ask @')
  await offered.first().waitFor()
  expect(await offered.locator('span').allTextContents()).toEqual(['Ben Fry', 'Bénédicte Moss'])
  expect(await violationsOf(page)).toEqual([])
  expect(await chosenOf(page)).toBe('Ben Fry')
  await page.keyboard.press('ArrowDown')
  expect(await chosenOf(page)).toBe('Bénédicte Moss')
  await page.keyboard.press('ArrowDown')
  expect(await chosenOf(page)).toBe('Ben Fry')
  await page.keyboard.press('Enter')
  expect(await field.inputValue()).toBe('Ask @Ben Fry ')
  await field.pressSequentially('or @mos')
  await page.keyboard.press('Tab')
  await field.pressSequentially('today')
  expect(await field.inputValue()).toBe('Ask @Ben Fry or @Bénédicte Moss today')
  await page.getByText(en.composer.mentions('Ben Fry, Bénédicte Moss')).waitFor()
  expect(await violationsOf(page)).toEqual([])
  await page.keyboard.press('ControlOrMeta+Enter')
  const stored = `Ask @[${ben}] or @[${benedicte}] today`
  await expect.poll(notes).toEqual([stored])
  await page.getByRole('log').getByText('Ask @Ben Fry or @Bénédicte Moss today').waitFor()
  expect(complaints).toEqual([])
})

test('Escape closes the list and leaves the text, a changed name mentions nobody, and a reply has no ids', async () => {
  const { page, field, offered, ben, notes } = await openLamp()
  await field.pressSequentially('@ben')
  await offered.first().waitFor()
  await page.keyboard.press('Escape')
  await offered.first().waitFor({ state: 'hidden' })
  await field.pressSequentially('e')
  expect([await field.inputValue(), await offered.count()]).toEqual(['@bene', 0])
  await field.fill('')
  await field.pressSequentially('mail ada@')
  expect(await offered.count()).toBe(0)
  await field.fill('')
  await field.pressSequentially('@BEN')
  await offered.getByText('Bénédicte Moss').click()
  await field.pressSequentially('@ben')
  await page.keyboard.press('Enter')
  await page.getByText(en.composer.mentions('Bénédicte Moss, Ben Fry')).waitFor()
  for (let count = 0; count < 2; count++) await page.keyboard.press('Backspace')
  expect(await field.inputValue()).toBe('@Bénédicte Moss @Ben Fr')
  await page.getByText(en.composer.mentions('Bénédicte Moss'), { exact: true }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: en.composer.reply, exact: true }).click()
  expect(await field.inputValue()).toBe('@Bénédicte Moss @Ben Fry ')
  await field.pressSequentially('@')
  expect(await offered.count()).toBe(0)
  await page.getByRole('button', { name: en.composer.note, exact: true }).click()
  await field.fill('')
  await field.pressSequentially('@ben')
  await page.keyboard.press('Tab')
  await page.getByRole('button', { name: en.composer.addNote }).click()
  await expect.poll(notes).toEqual([`@[${ben}]`])
})

test('a note survives a reload with its names, and an input method keeps its keys', async () => {
  const { page, field, offered } = await openLamp()
  await field.pressSequentially('@ben')
  await page.keyboard.press('Enter')
  await page.reload()
  await expect.poll(() => field.inputValue()).toBe('@Ben Fry ')
  await field.focus()
  await page.keyboard.press('End')
  const client = await page.context().newCDPSession(page)
  await client.send('Input.imeSetComposition', { text: '@mos', selectionStart: 4, selectionEnd: 4 })
  await offered.first().waitFor()
  // The method itself takes Enter.
  await field.dispatchEvent('keydown', { key: 'Enter', isComposing: true })
  expect(await offered.count()).toBe(1)
  await client.send('Input.insertText', { text: '@mos' })
  expect(await field.inputValue()).toBe('@Ben Fry @mos')
  await page.keyboard.press('Enter')
  expect(await field.inputValue()).toBe('@Ben Fry @Bénédicte Moss ')
})

describe.each(['light', 'dark'] as const)('with %s colours', (colorScheme) => {
  test('the chooser speaks German and fits on a phone', async () => {
    const options = { colorScheme, locale: 'de-DE', viewport: { width: 360, height: 740 } }
    const { page, field, offered } = await openLamp(options, de)
    await field.pressSequentially('@ben')
    await offered.first().waitFor()
    const box = await page.getByRole('listbox').boundingBox()
    expect(box!.x >= 0 && box!.x + box!.width <= 360 && box!.y >= 0).toBe(true)
    expect(await violationsOf(page)).toEqual([])
    await offered.first().click()
    await page.getByText(de.composer.mentions('Ben Fry')).waitFor()
    expect(await violationsOf(page)).toEqual([])
  })
})

/** Ben, with two notes that mention him: the first one is read. */
async function openMentions(options: BrowserContextOptions = {}, texts: typeof en | typeof de = en) {
  const { token } = await registerTenant(running.url)
  const email = await joinAs(running.url, token, 'agent')
  const ask = async (method: string, path: string, body?: object, by = token) => {
    const response = await call(running.url, { method, path: `/api/v1${path}`, token: by, body })
    expect(response.body.error).toBeUndefined()
    return response.body.data
  }
  const ben = (await ask('GET', '/users')).find((user: { email: string }) => user.email === email)
  const [{ _id: inboxId }] = await ask('GET', '/inboxes')
  const mention = async (subject: string, text: string) => {
    const { _id } = await ask('POST', '/conversations', { subject, inboxId })
    await ask('POST', `/conversations/${_id}/messages`, {
      content: `@[${ben._id}] ${text}`,
      type: 'note',
    })
    return _id as string
  }
  const theirs = await signedIn(email)
  const lamp = await mention('Lamp', 'is it broken?')
  await ask('POST', `/conversations/${lamp}/read`, {}, theirs)
  const desk = await mention('Desk', 'who repairs it?')
  const tab = await openConsole(browser, `${running.url}/console/mentions`, options)
  await signInWith(tab.page, email, texts)
  const unread = async () =>
    (await ask('GET', '/users/me/mentions?unread=true', undefined, theirs)).map(
      ({ conversationId }: { conversationId: string }) => conversationId,
    )
  return { ...tab, email, desk, mention, unread }
}

async function signedIn(email: string): Promise<string> {
  const { body } = await call(running.url, {
    method: 'POST',
    path: '/api/auth/login',
    body: { email, password },
  })
  return body.data.accessToken
}

test('the view lists unread mentions first, a look reads them, and a new one appears by itself', async () => {
  const { page, complaints, desk, mention, unread } = await openMentions()
  const unreadRows = page.getByRole('list', { name: more.mentions.unread }).getByRole('link')
  const readRows = page.getByRole('list', { name: more.mentions.read }).getByRole('link')
  const link = page.getByRole('navigation').getByRole('link', { name: en.nav.mentions })
  await unreadRows.getByText('@Ben agent who repairs it?').waitFor()
  await readRows.getByText('@Ben agent is it broken?').waitFor()
  expect([await unreadRows.count(), await readRows.count()]).toEqual([1, 1])
  await expect.poll(() => link.textContent()).toBe('Mentions1')
  expect(await violationsOf(page)).toEqual([])

  expect(await unread()).toEqual([desk])
  await unreadRows.first().click()
  await page.getByRole('log').getByText('@Ben agent who repairs it?').waitFor()
  await expect.poll(unread).toEqual([])
  await expect.poll(() => readRows.count()).toBe(2)
  await expect.poll(() => link.textContent()).toBe('Mentions')
  expect(await violationsOf(page)).toEqual([])

  const chair = await mention('Chair', 'and this one?')
  await unreadRows.getByText('@Ben agent and this one?').waitFor()
  await expect.poll(() => link.textContent()).toBe('Mentions1')
  await page.goto(`${running.url}/console/inbox/open/-/-`)
  await page.getByRole('heading', { name: en.views.open }).waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('n')
  await unreadRows.first().click()
  await page.waitForURL(`**/console/mentions/${chair}`)
  expect(complaints).toEqual([])
})

test('the search shows a note with the names of those whom it mentions', async () => {
  const { page, complaints } = await openMentions()
  await page.getByText('who repairs it?').waitFor()
  await page.locator('body').press('/')
  const dialog = page.getByRole('dialog', { name: 'Search' })
  await dialog.getByRole('combobox').fill('repairs')
  await dialog.getByRole('option', { name: '@Ben agent who repairs it?' }).waitFor()
  expect(complaints).toEqual([])
})

test('a person whom no note mentions reads how a note does it', async () => {
  const { email } = await registerTenant(running.url)
  const { page } = await openConsole(browser, `${running.url}/console/mentions`)
  await signInWith(page, email, en)
  await page.getByText(more.mentions.none).waitFor()
  expect(await violationsOf(page)).toEqual([])
})

describe.each(['light', 'dark'] as const)('with %s colours', (colorScheme) => {
  test('the view speaks German and fits on a phone', async () => {
    const options = { colorScheme, locale: 'de-DE', viewport: { width: 360, height: 740 } }
    const { page } = await openMentions(options, de)
    await page.getByRole('heading', { name: deMore.mentions.unread }).waitFor()
    await page.getByText('@Ben agent who repairs it?').waitFor()
    const fits = await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')
    expect([await violationsOf(page), fits]).toEqual([[], true])
    await page.getByRole('link', { name: 'Desk' }).click()
    await page.getByRole('log').getByText('who repairs it?').waitFor()
    await page.getByRole('button', { name: de.thread.back }).click()
    await page.getByRole('heading', { name: de.nav.mentions }).waitFor()
  })
})

test('a conversation that is marked as unread stays so while it is open, although it was read before', async () => {
  const { page, email, unread } = await openMentions()
  const token = await signedIn(email)
  const unreadOf = async (id: string) =>
    (await call(running.url, { path: `/api/v1/conversations/${id}`, token })).body.data.unread.count
  const row = (text: string) => page.locator('.row', { hasText: text })
  const open = async (text: string) => {
    await row(text).click()
    await page.getByRole('log').getByText(text).waitFor()
  }
  await open('who repairs it?')
  await expect.poll(unread).toEqual([])
  const link = page.getByRole('navigation').getByRole('link', { name: en.nav.mentions })
  await expect.poll(() => link.textContent()).toBe(en.nav.mentions)
  await open('is it broken?')
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  expect(await unreadOf(id)).toBe(0)
  await page.keyboard.press('u')
  await expect.poll(() => unreadOf(id)).toBe(1)
  // The report of the next conversation leaves after those of this one.
  const left = page.waitForRequest((request) => request.postData()?.includes('"none"') === true)
  await open('who repairs it?')
  await (await left).response()
  expect(await unreadOf(id)).toBe(1)
})
