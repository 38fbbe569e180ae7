import axe from 'axe-core'
import { expect, test } from 'vitest'
import { call } from '../support/call.ts'
import { useWidget } from './support/use-widget.ts'
import { agentOf, type Inbox, makeInbox, pageWith, type Visitor, visit } from './support/widget-browser.ts'

const world = useWidget()

async function visitShop(inbox: Inbox, options = {}): Promise<Visitor> {
  const address = world.pages.add(pageWith({ url: world.service.url, key: inbox.key }))
  const visitor = await visit(world.browser, address, options)
  await visitor.open()
  return visitor
}

/** Writes and waits until the service has the message. */
async function send(visitor: Visitor, text: string): Promise<void> {
  await visitor.write(text)
  await visitor.chat.locator('.message', { hasText: text }).locator('time').waitFor()
}

async function expectThread({ chat }: Visitor, texts: readonly string[]): Promise<void> {
  await expect.poll(() => chat.locator('.message .text').allTextContents()).toEqual(texts)
}

const toList = ({ chat }: Visitor) => chat.getByRole('button', { name: 'Conversations', exact: true })
const newOne = ({ chat }: Visitor) => chat.getByRole('button', { name: 'New conversation', exact: true })
const rows = ({ chat }: Visitor) => chat.getByRole('region', { name: 'Conversations' }).getByRole('listitem')

async function replyTo(inbox: Inbox, conversationId: string, body: object): Promise<void> {
  const path = `/api/v1/conversations/${conversationId}/messages`
  expect((await call(world.service.url, { method: 'POST', path, token: inbox.token, body })).status).toBe(201)
}

/** The id of the conversation with this message, as the agent sees it. */
async function idOf(inbox: Inbox, subject: string): Promise<string> {
  const path = '/api/v1/conversations?limit=100'
  const { body } = await call(world.service.url, { path, token: inbox.token })
  return body.data.find((one: { subject: string }) => one.subject === subject)._id
}

/** Makes a document believe that its person has left the tab, or is back. */
const setHidden = (where: { evaluate(script: string): Promise<unknown> }, isHidden: boolean) =>
  where.evaluate(`
    Object.defineProperty(document, 'visibilityState', { value: '${isHidden ? 'hidden' : 'visible'}', configurable: true })
    Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))`)

test('a visitor begins a second conversation beside an open one, and goes from one to the other', async () => {
  const inbox = await makeInbox(world.service.url)
  const visitor = await visitShop(inbox)
  expect(await toList(visitor).isVisible()).toBe(false)
  await send(visitor, 'About teapots')
  await toList(visitor).click()
  await newOne(visitor).click()
  await expectThread(visitor, [])
  await send(visitor, 'About cups')
  await expectThread(visitor, ['About cups'])
  expect(await agentOf(world.service.url, inbox).conversations()).toHaveLength(2)

  // A reply to the one that is not shown is counted in the list, and not put into the other thread.
  await replyTo(inbox, await idOf(inbox, 'About teapots'), { content: 'They are blue' })
  await toList(visitor).click()
  await rows(visitor).first().getByText('About teapots').waitFor()
  await visitor.chat.getByRole('img', { name: '1 unread message' }).waitFor()
  await rows(visitor).first().getByRole('button').click()
  await expectThread(visitor, ['About teapots', 'They are blue'])
  await send(visitor, 'And large ones?')
  await toList(visitor).click()
  await rows(visitor).filter({ hasText: 'About cups' }).getByRole('button').click()
  await expectThread(visitor, ['About cups'])
  expect(visitor.lines).toEqual([])
})

test('the list has names and roles, keeps the keyboard inside, and has no violation of axe', async () => {
  const inbox = await makeInbox(world.service.url)
  const visitor = await visitShop(inbox)
  await send(visitor, 'About teapots')
  const { chat, page } = visitor
  await toList(visitor).click()
  expect(await toList(visitor).getAttribute('aria-expanded')).toBe('true')
  const field = chat.locator('body')
  const focused = () => field.evaluate('document.activeElement.textContent')
  await expect.poll(focused).toContain('About teapots')
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const frame = page.frames().find((one) => one.url().includes('/widget/v1/frame'))
    await frame?.evaluate(axe.source)
    const result = await frame?.evaluate<axe.AxeResults>('axe.run()')
    expect(result?.violations.map(({ id }) => id)).toEqual([])
  }
})

test('a conversation that begins while the response to its message is lost is the one that is shown', async () => {
  const inbox = await makeInbox(world.service.url)
  const visitor = await visitShop(inbox)
  await send(visitor, 'First')
  await visitor.page.route('**/api/v1/widget/conversations', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    await route.fetch()
    await route.abort()
  })
  await toList(visitor).click()
  await newOne(visitor).click()
  await send(visitor, 'Second')
  await expectThread(visitor, ['Second'])
  expect(await agentOf(world.service.url, inbox).conversations()).toHaveLength(2)
})

test('a message that waits for the connection stays with its own conversation', async () => {
  const inbox = await makeInbox(world.service.url)
  const visitor = await visitShop(inbox)
  await send(visitor, 'About teapots')
  await visitor.page.route('**/api/v1/widget/conversations/*/messages', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  )
  await visitor.write('Not sent yet')
  await visitor.chat.getByText(/It is sent when the connection is back/).waitFor()
  await toList(visitor).click()
  await newOne(visitor).click()
  await expectThread(visitor, [])
  await toList(visitor).click()
  await rows(visitor).first().getByRole('button').click()
  await expectThread(visitor, ['About teapots', 'Not sent yet'])
})

test('messages have the time of day, its full date as a title, and one line for each day', async () => {
  const inbox = await makeInbox(world.service.url)
  const visitor = await visitShop(inbox, { locale: 'en-US', timezoneId: 'America/New_York' })
  await send(visitor, 'First')
  await send(visitor, 'Second')
  const days = visitor.chat.locator('.day')
  expect(await days.allTextContents()).toEqual(['today'])
  const time = visitor.chat.locator('.message time').first()
  expect(await time.textContent()).toMatch(/^\d{1,2}:\d{2}/)
  expect(await time.getAttribute('title')).toContain(String(new Date().getFullYear()))
  // The same history two days later.
  await visitor.page.clock.install({ time: Date.now() + 2 * 24 * 3_600_000 })
  await visitor.page.reload()
  await visitor.open()
  await expectThread(visitor, ['First', 'Second'])
  expect(await days.count()).toBe(1)
  expect(await days.first().textContent()).toMatch(/\d{4}$/)
})

test('the newest message stays in sight when something takes its place, and a reply above is announced', async () => {
  const inbox = await makeInbox(world.service.url)
  const agent = agentOf(world.service.url, inbox)
  const visitor = await visitShop(inbox)
  const { chat } = visitor
  await send(visitor, 'Hello')
  await agent.reply(Array.from({ length: 60 }, (_, index) => `Line ${index}`).join('\n'))
  await chat.getByText('Line 59').waitFor()
  const log = chat.getByRole('log')
  const below = () =>
    log.evaluate(
      'document.querySelector(".log").scrollHeight - document.querySelector(".log").scrollTop - document.querySelector(".log").clientHeight',
    )
  await expect.poll(below).toBeLessThan(2)
  const [{ _id } = { _id: '' }] = await agent.conversations()
  const path = `/api/v1/conversations/${_id}`
  await call(world.service.url, { method: 'PUT', path, token: inbox.token, body: { status: 'closed' } })
  await chat.getByRole('button', { name: 'Send rating' }).waitFor()
  await expect.poll(below).toBeLessThan(2)
  await call(world.service.url, { method: 'PUT', path, token: inbox.token, body: { status: 'open' } })

  await log.evaluate('document.querySelector(".log").scrollTop = 0')
  await agent.reply('The newest')
  const news = chat.getByRole('button', { name: 'New messages' })
  await news.click()
  await expect.poll(below).toBeLessThan(2)
  expect(await news.isVisible()).toBe(false)
})

test('a sign that is no refusal is not red', async () => {
  const inbox = await makeInbox(world.service.url)
  const visitor = await visitShop(inbox)
  await send(visitor, 'Hello')
  const colorOf = (selector: string) =>
    visitor.chat.locator('body').evaluate(`getComputedStyle(document.querySelector('${selector}')).color`)
  const quiet = await colorOf('.meta')
  for (const selector of ['.notice[role=status]', '.notice.quiet:not([role])'])
    expect(await colorOf(selector)).toBe(quiet)
  expect(await colorOf('.notice[role=alert]')).not.toBe(quiet)
})

test('a picture is shown large in the frame, and Escape closes the picture and not the chat', async () => {
  const inbox = await makeInbox(world.service.url)
  const visitor = await visitShop(inbox)
  const { chat, page } = visitor
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  const picker = chat.locator('input[type=file]')
  await picker.setInputFiles([
    { name: 'broken.png', mimeType: 'image/png', buffer: png },
    { name: 'no picture.png', mimeType: 'image/png', buffer: Buffer.from('<svg xmlns="x"/>') },
  ])
  // Before it is sent too, where the bytes are a picture.
  await expect.poll(() => chat.locator('.compose img:visible').count()).toBe(1)
  await send(visitor, 'It is broken')
  await chat.getByRole('button', { name: 'Show broken.png' }).click()
  const large = chat.getByRole('dialog', { name: 'broken.png' })
  await large.locator('img').waitFor()
  expect(await large.locator('img').getAttribute('src')).toMatch(/^blob:/)
  await chat.getByRole('button', { name: 'Close the picture' }).press('Escape')
  await large.waitFor({ state: 'hidden' })
  expect(await page.getByRole('button', { name: 'Close chat' }).first().getAttribute('aria-expanded')).toBe(
    'true',
  )
})

test('Markdown of an agent becomes elements, and nothing in it becomes markup', async () => {
  const inbox = await makeInbox(world.service.url)
  const visitor = await visitShop(inbox)
  const { chat } = visitor
  await send(visitor, '**Mine** stays')
  const content = [
    '**Yes**, *soon*, `a*b`: [the shop](https://shop.example/x)',
    '- one',
    '- two',
    '',
    '<img src=x onerror="document.title=1"> [x](javascript:alert(1)) <script>document.title=1</script>',
    '```',
    '<b>code</b>',
    '```',
  ].join('\n')
  await replyTo(inbox, await idOf(inbox, '**Mine** stays'), { content, contentType: 'markdown' })
  const reply = chat.locator('.message:not(.own) .text')
  await reply.getByRole('link', { name: 'the shop' }).waitFor()
  expect(await reply.locator('strong').allTextContents()).toEqual(['Yes'])
  expect(await reply.locator('em').allTextContents()).toEqual(['soon'])
  expect(await reply.locator('code').allTextContents()).toEqual(['a*b'])
  expect(await reply.locator('li').allTextContents()).toEqual(['one', 'two'])
  expect(await reply.locator('pre').allTextContents()).toEqual(['<b>code</b>'])
  const link = reply.getByRole('link')
  expect(await link.count()).toBe(1)
  expect(await link.getAttribute('rel')).toBe('noopener noreferrer')
  expect(await reply.textContent()).toContain(
    '<img src=x onerror="document.title=1"> [x](javascript:alert(1))',
  )
  expect(await chat.locator('img,script:not([src]),b').count()).toBe(0)
  expect(await chat.locator('.own .text').textContent()).toBe('**Mine** stays')
  // The same from the history.
  await visitor.page.reload()
  await visitor.open()
  await reply.getByRole('link', { name: 'the shop' }).waitFor()
  expect(visitor.lines).toEqual([])
})

test('the welcome names the team, who is online and how soon a reply comes', async () => {
  const inbox = await makeInbox(world.service.url, { showTeam: true, greeting: 'How can we help?' })
  const { status } = await call(world.service.url, {
    method: 'PUT',
    path: '/api/v1/users/me',
    token: inbox.token,
    body: { availability: 'online' },
  })
  expect(status).toBe(200)
  const visitor = await visitShop(inbox)
  const log = visitor.chat.getByRole('log')
  await log.getByText(/^Tenant \d+$/).waitFor()
  await log.getByText('Online: Olive').waitFor()
  await log.getByText('How can we help?').waitFor()
  expect(await visitor.chat.getByRole('heading', { level: 1 }).textContent()).toMatch(/^Tenant \d+$/)
})

test('a reply to a visitor who has gone to another tab is heard and stands in the title until they are back', async () => {
  const inbox = await makeInbox(world.service.url)
  const agent = agentOf(world.service.url, inbox)
  const visitor = await visitShop(inbox)
  const { page, chat } = visitor
  const frame = chat.locator('body')
  await frame.evaluate(`window.tones = 0
    const start = OscillatorNode.prototype.start
    OscillatorNode.prototype.start = function (...args) { window.tones++; start.apply(this, args) }`)
  const tones = () => frame.evaluate('window.tones')
  await send(visitor, 'Hello')
  await agent.reply('Seen at once')
  await chat.getByText('Seen at once').waitFor()
  expect(await tones()).toBe(0)
  expect(await page.title()).toBe('A shop')

  await setHidden(frame, true)
  await setHidden(page, true)
  await agent.reply('While away')
  await expect.poll(() => page.title()).toBe('(1) A shop')
  await expect.poll(tones).toBeGreaterThan(0)
  await setHidden(frame, false)
  await setHidden(page, false)
  await expect.poll(() => page.title()).toBe('A shop')

  // A closed chat in a visible tab: the sound and the badge, and no other title.
  await page.getByRole('button', { name: 'Close chat' }).first().click()
  const before = await tones()
  await agent.reply('To a closed chat')
  await page.getByRole('img', { name: '1 unread message' }).waitFor()
  await expect.poll(tones).toBeGreaterThan(Number(before))
  expect(await page.title()).toBe('A shop')

  // The page may switch the sound off.
  await page.evaluate(`CRMWidget('sound', false)`)
  const last = await tones()
  await agent.reply('Silently')
  await page.getByRole('img', { name: '2 unread messages' }).waitFor()
  expect(await tones()).toBe(last)
  expect(visitor.lines).toEqual([])
})

test('a page where nobody has used the chat makes no sound', async () => {
  const inbox = await makeInbox(world.service.url)
  const agent = agentOf(world.service.url, inbox)
  const visitor = await visitShop(inbox)
  await send(visitor, 'Hello')
  await visitor.page.reload()
  const frame = visitor.chat.locator('body')
  await visitor.chat.locator('.message time').waitFor({ state: 'attached' })
  await frame.evaluate(`window.made = 0; const Own = AudioContext
    window.AudioContext = class extends Own { constructor() { super(); window.made++ } }`)
  await agent.reply('Are you there?')
  await visitor.page.getByRole('img', { name: '1 unread message' }).waitFor()
  expect(await frame.evaluate('window.made')).toBe(0)
})

test('in forced colours the bubble, the messages and the chosen conversation have edges', async () => {
  const inbox = await makeInbox(world.service.url)
  const visitor = await visitShop(inbox, { forcedColors: 'active' })
  await send(visitor, 'Hello')
  await agentOf(world.service.url, inbox).reply('Hello too')
  await visitor.chat.getByText('Hello too').waitFor()
  const edge = (selector: string) =>
    visitor.chat
      .locator('body')
      .evaluate(`getComputedStyle(document.querySelector('${selector}')).borderTopWidth`)
  expect(await edge('.message:not(.own) .text')).not.toBe('0px')
  expect(await edge('.own .text')).not.toBe(await edge('.message:not(.own) .text'))
  await toList(visitor).click()
  expect(await edge('[aria-current]')).not.toBe('0px')
  const bubble = await visitor.page
    .locator('crm-widget')
    .evaluate(
      `getComputedStyle(document.querySelector('crm-widget').shadowRoot.querySelector('button')).borderTopWidth`,
    )
  expect(bubble).not.toBe('0px')
})
