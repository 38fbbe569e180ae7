import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { signWidgetUser } from '../../../sdk/src/widget/index.ts'
import { call } from '../support/call.ts'
import { serverProgram, startProgram } from '../support/programs.ts'
import { startService } from '../support/start-service.ts'
import { useWidget } from './support/use-widget.ts'
import {
  agentOf,
  comeBack,
  downloadName,
  type Inbox,
  makeInbox,
  newTab,
  pageWith,
  startPages,
  type Visitor,
  visit,
} from './support/widget-browser.ts'

const world = useWidget()

const shop = (inbox: Inbox, body = '') =>
  world.pages.add(pageWith({ url: world.service.url, key: inbox.key, body }))

/** Waits until the thread holds exactly these texts, in this order. */
async function expectThread({ chat }: Visitor, texts: readonly string[]): Promise<void> {
  await expect.poll(() => chat.locator('.message .text').allTextContents()).toEqual(texts)
}

async function makeSecret({ _id, token }: Inbox): Promise<string> {
  const path = `/api/v1/inboxes/${_id}/widget-secret`
  return (await call(world.service.url, { method: 'POST', path, token, body: {} })).body.data.secret
}

const identify = ({ page }: Visitor, userToken: string) =>
  page.evaluate(`CRMWidget('identify', { userToken: ${JSON.stringify(userToken)} })`)

const stored = ({ chat }: Visitor) => chat.locator('body').evaluate('JSON.stringify(localStorage)')

/** Waits until the frame has a signed session of this person. */
const expectPerson = (visitor: Visitor, userId: string) =>
  expect.poll(() => stored(visitor)).toContain(`subject\\":\\"${userId}\\"`)

test('a visitor of another site asks, an agent replies, and a reload shows both once', async () => {
  const inbox = await makeInbox(world.service.url, {
    greeting: 'How can we help?',
    allowedOrigins: [world.pages.origin],
  })
  const agent = agentOf(world.service.url, inbox)
  const visitor = await visit(world.browser, shop(inbox))
  await visitor.page.evaluate(`window.counts = []; CRMWidget('on', 'unread', (count) => counts.push(count))`)
  await visitor.open()
  await visitor.chat.getByText('How can we help?').waitFor()
  await visitor.write('Is the teapot in stock?')
  await expect.poll(() => agent.texts()).toEqual(['Is the teapot in stock?'])
  const [conversation] = await agent.conversations()
  expect(conversation).toMatchObject({ channel: 'chat', source: 'widget' })
  await agent.reply('Yes, since today.')
  await expectThread(visitor, ['Is the teapot in stock?', 'Yes, since today.'])

  await visitor.page.getByRole('button', { name: 'Close chat' }).first().click()
  await agent.reply('Shall I keep one for you?')
  const badge = visitor.page.getByRole('img', { name: '1 unread message' })
  await badge.waitFor()
  await visitor.open()
  await badge.waitFor({ state: 'hidden' })
  expect(await visitor.page.evaluate('counts')).toEqual([0, 1, 0])

  await visitor.page.reload()
  await visitor.open()
  await expectThread(visitor, ['Is the teapot in stock?', 'Yes, since today.', 'Shall I keep one for you?'])
  expect(visitor.lines).toEqual([])
})

test('a visitor sees that a reply is being written, until it has come or its writer has stopped', async () => {
  const inbox = await makeInbox(world.service.url, { allowedOrigins: [world.pages.origin] })
  const agent = agentOf(world.service.url, inbox)
  const visitor = await visit(world.browser, shop(inbox))
  await visitor.open()
  await visitor.write('Is the teapot in stock?')
  await expect.poll(async () => (await agent.conversations()).length).toBe(1)
  const [conversation] = await agent.conversations()
  const present = (state: string) =>
    call(world.service.url, {
      method: 'PUT',
      path: `/api/v1/conversations/${conversation?._id}/presence`,
      token: inbox.token,
      body: { state },
    })
  const sign = visitor.chat.getByRole('status').getByText('A reply is being written')
  await present('replying')
  await sign.waitFor()
  await present('viewing')
  await sign.waitFor({ state: 'hidden' })
  await present('replying')
  await sign.waitFor()
  await agent.reply('Yes, since today.')
  await expectThread(visitor, ['Is the teapot in stock?', 'Yes, since today.'])
  await present('none')
  await sign.waitFor({ state: 'hidden' })
  expect(visitor.lines).toEqual([])
})

test('the parts have the names and roles that people with a keyboard or a screen reader need', async () => {
  const inbox = await makeInbox(world.service.url)
  const { page, chat, open, write } = await visit(world.browser, shop(inbox))
  const bubble = page.getByRole('button', { name: 'Open chat' })
  await bubble.waitFor()
  expect(await bubble.getAttribute('aria-expanded')).toBe('false')
  await bubble.focus()
  await page.keyboard.press('Enter')
  const field = chat.getByRole('textbox', { name: 'Message' })
  await expect.poll(() => field.evaluate('document.activeElement.tagName')).toBe('TEXTAREA')
  await chat.getByRole('dialog', { name: 'Chat' }).waitFor()
  await chat.getByRole('log', { name: 'Messages' }).waitFor()

  // Keys arrive in a frame of another process a moment after it has the focus.
  await expect
    .poll(async () => {
      await page.keyboard.press('1')
      const value = await field.inputValue()
      if (value === '') await comeBack(page)
      return value
    })
    .not.toBe('')
  const first = await field.inputValue()
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.type('Two')
  await page.keyboard.press('Enter')
  await chat.getByRole('log').getByText(`${first}\nTwo`).waitFor()

  // Tab visits each part and stays inside where the chat covers the page.
  const size = page.viewportSize() ?? { width: 1280, height: 720 }
  await page.setViewportSize({ width: 360, height: 740 })
  await expect.poll(() => field.evaluate('innerWidth')).toBe(360)
  const names = new Set<string>()
  for (let presses = 0; presses < 12; presses++) {
    await page.keyboard.press('Tab')
    names.add(await field.evaluate('document.activeElement.ariaLabel ?? document.activeElement.textContent'))
  }
  expect([...names].sort()).toEqual([
    'Attach a file',
    'Close chat',
    'Conversations',
    'Message',
    'Messages',
    'Send',
  ])
  // Beside the page it leads on to the bubble, and into the page.
  await page.setViewportSize(size)
  await expect.poll(() => field.evaluate('innerWidth')).toBe(384)
  await field.focus()
  const inPage = `document.activeElement.shadowRoot?.activeElement.tagName`
  await expect
    .poll(async () => {
      await page.keyboard.press('Tab')
      return page.evaluate(inPage)
    })
    .toBe('BUTTON')
  await field.focus()
  await page.keyboard.press('Escape')
  await expect.poll(() => bubble.getAttribute('aria-expanded')).toBe('false')
  expect(await page.evaluate(`document.activeElement.shadowRoot.activeElement.ariaLabel`)).toBe('Open chat')
  await open()
  await write('Three')
})

test('a text that looks like markup or a script stays a text', async () => {
  const inbox = await makeInbox(world.service.url, { greeting: '<img src=x onerror="document.title=1">' })
  const agent = agentOf(world.service.url, inbox)
  const visitor = await visit(world.browser, shop(inbox))
  await visitor.open()
  const texts = [
    '<img src=x onerror="document.title=1">',
    '<script>document.title=1</script>',
    'javascript:alert(1)',
    '[x](javascript:alert(1)) <a href="javascript:alert(1)">x</a>',
  ]
  for (const text of texts) await visitor.write(text)
  await agent.reply('<svg onload="document.title=1"> see https://example.com/?a="onclick="x()')
  await visitor.chat.getByRole('link').waitFor()
  const link = visitor.chat.getByRole('link')
  expect(await link.getAttribute('href')).toBe('https://example.com/?a=')
  expect(await link.getAttribute('rel')).toContain('noopener')
  const frame = visitor.chat.locator('body')
  expect(await frame.evaluate('document.title')).toBe('Chat')
  expect(await frame.evaluate(`document.querySelectorAll('img,svg,[onerror]').length`)).toBe(0)
  expect(visitor.lines).toEqual([])
})

test('the text and the message survive when the server is killed, and the message arrives once', async () => {
  const start = (port: string) =>
    startProgram(serverProgram, ['start', '--dev'], {
      PORT: port,
      CRM_DATA_DIR: `${world.service.dataDir}/killed`,
      CRM_RATE_LIMITS: 'off',
    })
  let running = await start('0')
  const { url } = running
  const inbox = await makeInbox(url)
  const visitor = await visit(world.browser, world.pages.add(pageWith({ url, key: inbox.key })))
  await visitor.open()
  await visitor.write('Before')
  await expect.poll(() => agentOf(url, inbox).texts()).toEqual(['Before'])
  await running.kill('SIGKILL')
  await visitor.write('While it was away')
  await visitor.chat.getByText('Not sent yet.').waitFor()
  const field = visitor.chat.getByRole('textbox', { name: 'Message' })
  await visitor.type('A text that is not')
  running = await start(new URL(url).port)
  try {
    const agent = agentOf(url, inbox)
    await expect.poll(() => agent.texts()).toEqual(['Before', 'While it was away'])
    await agent.reply('Welcome back')
    await expectThread(visitor, ['Before', 'While it was away', 'Welcome back'])
    await visitor.page.reload()
    await visitor.open()
    await expectThread(visitor, ['Before', 'While it was away', 'Welcome back'])
    expect(await field.inputValue()).toBe('A text that is not')
  } finally {
    await running.kill('SIGKILL')
  }
})

test('a message whose response was lost is sent again after a reload and arrives once', async () => {
  const inbox = await makeInbox(world.service.url)
  const agent = agentOf(world.service.url, inbox)
  const visitor = await visit(world.browser, shop(inbox))
  let lost = 0
  await visitor.page.route('**/api/v1/widget/conversations', async (route) => {
    if (route.request().method() !== 'POST' || lost > 0) return route.continue()
    await route.fetch()
    lost += 1
    await route.abort()
  })
  await visitor.open()
  await visitor.write('Only once, please')
  await expect.poll(() => lost).toBe(1)
  await visitor.page.reload()
  await visitor.open()
  await expectThread(visitor, ['Only once, please'])
  await visitor.chat.locator('.message time').waitFor()
  expect(await agent.texts()).toEqual(['Only once, please'])
  expect(await agent.conversations()).toHaveLength(1)
})

test('a message that a block refuses stays with its reason, and goes to the same conversation after it', async () => {
  const inbox = await makeInbox(world.service.url)
  const agent = agentOf(world.service.url, inbox)
  const visitor = await visit(world.browser, shop(inbox))
  await visitor.open()
  await visitor.write('First')
  await visitor.chat.locator('.message time').waitFor()
  const [conversation] = await agent.conversations()
  const set = async (change: 'block' | 'unblock') => {
    const path = `/api/v1/customers/${conversation?.customerId}/${change}`
    expect((await call(world.service.url, { method: 'POST', path, token: inbox.token })).status).toBe(200)
  }
  await set('block')
  await visitor.write('Second')
  await visitor.chat.getByText('Not sent: The team takes no messages in this chat').waitFor()
  await expectThread(visitor, ['First', 'Second'])
  await set('unblock')
  await visitor.chat.getByRole('button', { name: 'Send again' }).click()
  await expect.poll(() => agent.texts()).toEqual(['First', 'Second'])
  expect(await agent.conversations()).toHaveLength(1)
})

test('a session that ends while the visitor types is renewed without losing the text', async () => {
  const inbox = await makeInbox(world.service.url)
  const visitor = await visit(world.browser, shop(inbox))
  await visitor.open()
  await visitor.write('First')
  const field = visitor.chat.getByRole('textbox', { name: 'Message' })
  await visitor.chat.locator('.message time').waitFor()
  await visitor.type('Second')
  const { token } = JSON.parse(await field.evaluate(`localStorage.getItem('crm-widget:${inbox.key}')`))
  const path = '/api/v1/widget/sessions/current'
  expect((await call(world.service.url, { method: 'DELETE', path, token })).status).toBe(200)
  await field.press('Enter')
  const agent = agentOf(world.service.url, inbox)
  await expect.poll(async () => (await agent.conversations()).length).toBe(2)
  await expectThread(visitor, ['Second'])
})

test('a signed visitor keeps the conversation that began before, and log-out leaves nothing for the next', async () => {
  const inbox = await makeInbox(world.service.url)
  const secret = await makeSecret(inbox)
  const agent = agentOf(world.service.url, inbox)
  const visitor = await visit(world.browser, shop(inbox))
  await visitor.open()
  await visitor.write('I am Ada')
  await visitor.chat.locator('.message time').waitFor()
  await identify(visitor, await signWidgetUser(secret, { userId: 'ada', name: 'Ada Byron' }))
  await expectPerson(visitor, 'ada')
  expect(await agent.conversations()).toHaveLength(1)
  await visitor.page.reload()
  const second = await signWidgetUser(secret, { userId: 'ada' })
  await identify(visitor, second)
  await visitor.open()
  await expectThread(visitor, ['I am Ada'])

  await visitor.type('A secret of Ada')
  await visitor.page.evaluate(`CRMWidget('shutdown')`)
  await expectThread(visitor, [])
  await visitor.open()
  await expectThread(visitor, [])
  expect(await visitor.chat.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('')
  expect(await stored(visitor)).toBe('{}')
  await visitor.write('I am somebody else')
  await expect.poll(async () => (await agent.conversations()).length).toBe(2)

  // On another device of Ada.
  const device = await visit(world.browser, shop(inbox))
  await identify(device, second)
  await device.open()
  await expectThread(device, ['I am Ada'])
})

test('a page of another origin that identifies its own user gets no conversation of the visitor before', async () => {
  const inbox = await makeInbox(world.service.url)
  const secret = await makeSecret(inbox)
  const visitor = await visit(world.browser, shop(inbox))
  await visitor.open()
  await visitor.write('For the shop alone')
  await visitor.chat.locator('.message time').waitFor()
  const other = await startPages()
  try {
    // The same site: the browser gives the frame the same storage.
    const page = other.add(pageWith({ url: world.service.url, key: inbox.key }))
    const stranger = await newTab(await visitor.page.context().newPage(), page)
    await stranger.open()
    await expectThread(stranger, ['For the shop alone'])
    await identify(stranger, await signWidgetUser(secret, { userId: 'eve' }))
    await expectPerson(stranger, 'eve')
    await expectThread(stranger, [])
    await stranger.page.reload()
    await stranger.open()
    await expectThread(stranger, [])
  } finally {
    await other.close()
  }
})

test('another person who is identified without a log-out sees nothing of the one before', async () => {
  const inbox = await makeInbox(world.service.url)
  const secret = await makeSecret(inbox)
  const visitor = await visit(world.browser, shop(inbox))
  await identify(visitor, await signWidgetUser(secret, { userId: 'ada' }))
  await visitor.open()
  await visitor.write('I am Ada')
  await visitor.chat.locator('.message time').waitFor()
  await identify(visitor, await signWidgetUser(secret, { userId: 'grace' }))
  await expectThread(visitor, [])
  await visitor.write('I am Grace')
  await visitor.chat.locator('.message time').waitFor()
  await expectPerson(visitor, 'grace')
  await expectThread(visitor, ['I am Grace'])
})

test('a refused token calls the page, which signs again', async () => {
  const inbox = await makeInbox(world.service.url, { identityRequired: true })
  const secret = await makeSecret(inbox)
  const visitor = await visit(world.browser, shop(inbox))
  const bubble = visitor.page.getByRole('button', { name: 'Open chat' })
  await visitor.page.evaluate(`window.ended = 0; CRMWidget('on', 'expired', () => window.ended++)`)
  await identify(visitor, await signWidgetUser('wis_of-another-inbox', { userId: 'ada' }))
  await expect.poll(() => visitor.page.evaluate('ended')).toBe(1)
  expect(await bubble.isVisible()).toBe(false)
  await identify(visitor, await signWidgetUser(secret, { userId: 'ada' }))
  await visitor.open()
  await visitor.write('Signed in')
})

test('a visitor behind an address from which many write learns when the message is sent', async () => {
  const crowded = await startService({ CRM_RATE_LIMITS: 'on' })
  try {
    const inbox = await makeInbox(crowded.url)
    const begin = () =>
      call(crowded.url, { method: 'POST', path: '/api/v1/widget/sessions', body: { key: inbox.key } })
    while ((await begin()).status === 201);
    const visitor = await visit(
      world.browser,
      world.pages.add(pageWith({ url: crowded.url, key: inbox.key })),
    )
    await visitor.open()
    await visitor.write('Hello')
    await visitor.chat.getByText(/Many people write from your network\. Sent in \d+ s\./).waitFor()
    await expect.poll(() => agentOf(crowded.url, inbox).texts()).toEqual(['Hello'])
  } finally {
    await crowded.stop()
  }
})

test('two tabs of a visitor share one conversation and its messages', async () => {
  const inbox = await makeInbox(world.service.url)
  const agent = agentOf(world.service.url, inbox)
  const address = shop(inbox)
  const first = await visit(world.browser, address)
  await first.open()
  const second = await newTab(await first.page.context().newPage(), address)
  await second.open()
  await first.page.bringToFront()
  await first.write('From the first tab')
  await expectThread(second, ['From the first tab'])
  await second.page.bringToFront()
  await second.write('From the second tab')
  await expectThread(first, ['From the first tab', 'From the second tab'])
  expect(await agent.conversations()).toHaveLength(1)
  await second.page.evaluate(`CRMWidget('shutdown')`)
  await expectThread(first, [])
})

test('files travel both ways, and what is too long or too large is refused with the text kept', async () => {
  const inbox = await makeInbox(world.service.url)
  const visitor = await visit(world.browser, shop(inbox))
  await visitor.open()
  const picker = visitor.chat.locator('input[type=file]')
  await picker.setInputFiles({ name: 'big.bin', mimeType: 'text/plain', buffer: Buffer.alloc(11 << 20) })
  await visitor.chat.getByRole('alert').getByText('big.bin is larger than 10 MB.').waitFor()
  await picker.setInputFiles({ name: 'note – ü.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') })
  await visitor.write('See the file')
  const file = visitor.chat.getByRole('log').getByRole('button', { name: /note – ü.txt/ })
  await visitor.chat.locator('.message time').waitFor()
  expect(await downloadName(visitor.page, file)).toBe('note – ü.txt')

  const field = visitor.chat.getByRole('textbox', { name: 'Message' })
  await visitor.type('x'.repeat(10_001))
  await field.press('Enter')
  await visitor.chat.getByRole('alert').getByText('10001 characters').waitFor()
  expect((await field.inputValue()).length).toBe(10_001)
})

test('a text that is begun while a file is uploaded stays in the field', async () => {
  const inbox = await makeInbox(world.service.url)
  const visitor = await visit(world.browser, shop(inbox))
  await visitor.open()
  const upload = Promise.withResolvers<void>()
  await visitor.page.route('**/api/v1/widget/attachments', async (route) => {
    await upload.promise
    await route.continue()
  })
  const picker = visitor.chat.locator('input[type=file]')
  await picker.setInputFiles({ name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') })
  await visitor.type('See the file')
  const uploading = visitor.page.waitForRequest('**/api/v1/widget/attachments')
  await visitor.chat.getByRole('button', { name: 'Send', exact: true }).click()
  await uploading
  await visitor.type('And one more thing')
  upload.resolve()
  await visitor.chat.locator('.message time').waitFor()
  expect(await visitor.chat.locator('.compose .files li').count()).toBe(0)
  await visitor.page.reload()
  await visitor.open()
  expect(await visitor.chat.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('And one more thing')
  await visitor.write('And one more thing')
  await expect
    .poll(() => agentOf(world.service.url, inbox).texts())
    .toEqual(['See the file', 'And one more thing'])
})

test('a double submit sends one message', async () => {
  const inbox = await makeInbox(world.service.url)
  const visitor = await visit(world.browser, shop(inbox))
  await visitor.open()
  await visitor.type('Twice')
  await visitor.chat.getByRole('button', { name: 'Send' }).dblclick()
  await visitor.chat.locator('.message time').waitFor()
  await visitor.write('Done')
  await expect.poll(() => agentOf(world.service.url, inbox).texts()).toEqual(['Twice', 'Done'])
})

test('a closed conversation is rated once, and the next message begins another', async () => {
  const inbox = await makeInbox(world.service.url)
  const agent = agentOf(world.service.url, inbox)
  const visitor = await visit(world.browser, shop(inbox))
  await visitor.open()
  await visitor.write('Solved?')
  await visitor.chat.locator('.message time').waitFor()
  const [{ _id } = { _id: '' }] = await agent.conversations()
  const path = `/api/v1/conversations/${_id}`
  await call(world.service.url, { method: 'PUT', path, token: inbox.token, body: { status: 'closed' } })
  await visitor.chat.getByRole('radio', { name: '4 of 5' }).check()
  await visitor.chat.getByRole('button', { name: 'Send rating' }).click()
  await visitor.chat.getByText('Thank you for your rating.').waitFor()
  const { body } = await call(world.service.url, { path, token: inbox.token })
  expect(body.data.rating).toMatchObject({ score: 4 })
  await visitor.write('Not solved')
  await expect.poll(async () => (await agent.conversations()).length).toBe(2)
  await expectThread(visitor, ['Not solved'])
})

test('a list that was read before a conversation was closed, and arrives after it, does not open it again', async () => {
  const inbox = await makeInbox(world.service.url)
  const visitor = await visit(world.browser, shop(inbox))
  const late = Promise.withResolvers<void>()
  let listed = 0
  await visitor.page.route('**/api/v1/widget/conversations?*', async (route) => {
    const response = await route.fetch()
    listed += 1
    await late.promise
    await route.fulfill({ response })
  })
  await visitor.open()
  await visitor.write('Solved?')
  await visitor.chat.locator('.message time').waitFor()
  await expect.poll(() => listed).toBe(1)
  const [{ _id } = { _id: '' }] = await agentOf(world.service.url, inbox).conversations()
  const path = `/api/v1/conversations/${_id}`
  await call(world.service.url, { method: 'PUT', path, token: inbox.token, body: { status: 'closed' } })
  const rating = visitor.chat.getByRole('radio', { name: '4 of 5' })
  await rating.waitFor()
  // The history is read after the list.
  const history = visitor.page.waitForResponse(`**/api/v1/widget/conversations/${_id}/messages?*`)
  late.resolve()
  await history
  await visitor.chat.locator('.message time').waitFor()
  expect(await rating.isVisible()).toBe(true)
})

test('the example identifies the users of its own sign-in, and signs them out of the chat', async () => {
  const inbox = await makeInbox(world.service.url, { identityRequired: false })
  const secretFile = `${world.service.dataDir}/widget.secret`
  writeFileSync(secretFile, `${await makeSecret(inbox)}\n`)
  const shopProgram = await startProgram('examples/widget-page/page.ts', [], {
    PORT: '0',
    CRM_BASE_URL: world.service.url,
    WIDGET_KEY: inbox.key,
    WIDGET_SECRET_FILE: secretFile,
  })
  try {
    const visitor = await visit(world.browser, shopProgram.url)
    await visitor.page.getByText('You are not signed in.').waitFor()
    await visitor.page.getByRole('button', { name: 'Sign in as Ada' }).click()
    await visitor.page.getByText('You are Ada Byron.').waitFor()
    await visitor.open()
    await expectPerson(visitor, 'ada')
    await visitor.write('From Ada')
    await visitor.chat.locator('.message time').waitFor()
    const [conversation] = await agentOf(world.service.url, inbox).conversations()
    const path = `/api/v1/customers/${conversation?.customerId}`
    const { body } = await call(world.service.url, { path, token: inbox.token })
    expect(body.data.profile).toMatchObject({ firstName: 'Ada', lastName: 'Byron', email: 'ada@example.com' })
    await visitor.page.getByRole('button', { name: 'Sign out' }).click()
    await visitor.page.getByText('You have signed out.').waitFor()
    await visitor.open()
    await expectThread(visitor, [])
    expect(visitor.lines).toEqual([])
  } finally {
    await shopProgram.kill('SIGKILL')
  }
})
