import { expect, test } from 'vitest'
import { call } from '../support/call.ts'
import { useWidget } from './support/use-widget.ts'
import {
  agentOf,
  downloadName,
  type Inbox,
  makeInbox,
  pageWith,
  type Visitor,
  visit,
} from './support/widget-browser.ts'

const world = useWidget()

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>'

async function visitShop(inbox: Inbox): Promise<Visitor> {
  const visitor = await visit(
    world.browser,
    world.pages.add(pageWith({ url: world.service.url, key: inbox.key })),
  )
  await visitor.open()
  return visitor
}

async function upload(token: string, name: string, file: Blob): Promise<string> {
  const body = new FormData()
  body.append('file', file, name)
  const headers = { authorization: `Bearer ${token}` }
  const reply = await fetch(`${world.service.url}/api/v1/attachments`, { method: 'POST', headers, body })
  const { data } = (await reply.json()) as { data: { _id: string } }
  return data._id
}

/** The agent replies with these files. */
async function send({ inbox, text, files }: { inbox: Inbox; text: string; files: Record<string, Blob> }) {
  const { token } = inbox
  const attachments: string[] = []
  for (const [name, file] of Object.entries(files)) attachments.push(await upload(token, name, file))
  const [conversation] = await agentOf(world.service.url, inbox).conversations()
  const path = `/api/v1/conversations/${conversation?._id}/messages`
  const { status } = await call(world.service.url, {
    method: 'POST',
    path,
    token,
    body: { content: text, attachments },
  })
  expect(status).toBe(201)
}

/** Counts the files that the page reads. */
function countReads({ page }: Visitor): () => number {
  let reads = 0
  page.on('request', (request) => {
    if (request.method() === 'GET' && request.url().includes('/api/v1/widget/attachments/')) reads += 1
  })
  return () => reads
}

/** The width of the only picture; 0 until the browser shows it. */
const widthOf = ({ chat }: Visitor) =>
  chat.locator('body').evaluate(`document.querySelector('.log img')?.naturalWidth`)

test('a picture of the agent is shown with its name, and stays a file too; every other file is a file alone', async () => {
  const inbox = await makeInbox(world.service.url)
  const visitor = await visitShop(inbox)
  const { chat, page } = visitor
  await visitor.write('Please a picture')
  await chat.locator('.message time').waitFor()
  const [isAsked, mayAnswer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await page.route('**/api/v1/widget/attachments/**', async (route) => {
    isAsked.resolve()
    await mayAnswer.promise
    await route.continue()
  })
  const type = 'image/png'
  const files = {
    'teapot.png': new Blob([png], { type }),
    'drawing.svg': new Blob([svg], { type: 'image/svg+xml' }),
    'drawing.png': new Blob([svg], { type }),
    'note.txt': new Blob(['hello'], { type: 'text/plain' }),
  }
  await send({ inbox, text: 'Here', files })
  await isAsked.promise
  const picture = chat.getByRole('log').locator('img')
  const box = await picture.boundingBox()
  mayAnswer.resolve()
  await expect.poll(() => widthOf(visitor)).toBe(1)
  // Nothing in the thread has moved.
  expect(await picture.boundingBox()).toEqual(box)
  expect(await picture.getAttribute('alt')).toBe('teapot.png')
  const names = await chat.getByRole('log').locator('.files button:not(.picture)').allTextContents()
  expect(names.map((name) => name.split(' (', 1)[0])).toEqual(Object.keys(files))
  const button = chat.getByRole('button', { name: /^teapot\.png/ })
  expect(await downloadName(page, button)).toBe('teapot.png')
  expect(visitor.lines).toEqual([])
})

test('a page view reads no picture before the chat is opened', async () => {
  const inbox = await makeInbox(world.service.url)
  const visitor = await visitShop(inbox)
  const { chat, page } = visitor
  await visitor.write('Please a picture')
  await chat.locator('.message time').waitFor()
  await send({ inbox, text: 'Here', files: { 'teapot.png': new Blob([png]) } })
  const picture = chat.getByRole('log').locator('img')
  await expect.poll(() => widthOf(visitor)).toBe(1)
  const reads = countReads(visitor)
  await page.reload()
  await picture.waitFor({ state: 'attached' })
  expect(reads()).toBe(0)
  await visitor.open()
  await expect.poll(() => widthOf(visitor)).toBe(1)
  expect(reads()).toBe(1)
})

test('a picture of the visitor is read once, though its message is drawn again when the server confirms it', async () => {
  const inbox = await makeInbox(world.service.url)
  const visitor = await visitShop(inbox)
  const { chat } = visitor
  const reads = countReads(visitor)
  const file = { name: 'broken.png', mimeType: 'image/png', buffer: png }
  await chat.locator('input[type=file]').setInputFiles(file)
  await visitor.write('It is broken')
  await expect.poll(() => widthOf(visitor)).toBe(1)
  // The events of the stream come in their order, so that of the visitor's own message has come.
  await agentOf(world.service.url, inbox).reply('We send another one')
  await chat.getByText('We send another one').waitFor()
  expect(await widthOf(visitor)).toBe(1)
  expect(reads()).toBe(1)
})

test('bytes that are no picture, whatever their type says, leave the file alone', async () => {
  const inbox = await makeInbox(world.service.url)
  const visitor = await visitShop(inbox)
  const { chat, page } = visitor
  await visitor.write('Please a picture')
  await chat.locator('.message time').waitFor()
  const isRead = Promise.withResolvers<void>()
  await page.route('**/api/v1/widget/attachments/**', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: svg, contentType: 'image/svg+xml' })
    isRead.resolve()
  })
  await send({ inbox, text: 'Here', files: { 'teapot.png': new Blob([png]) } })
  await isRead.promise
  await chat.getByRole('log').locator('img').waitFor({ state: 'detached' })
  await chat.getByRole('button', { name: /^teapot\.png/ }).waitFor()
})
