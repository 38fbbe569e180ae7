import { expect, test } from 'vitest'
import { useWidget } from './support/use-widget.ts'
import { agentOf, makeInbox, newTab, pageWith, visit } from './support/widget-browser.ts'

const world = useWidget()

test('a reply appears in a browser without AbortSignal.any, URL.canParse and Web Locks', async () => {
  const inbox = await makeInbox(world.service.url)
  const context = await world.browser.newContext()
  await context.addInitScript(`delete AbortSignal.any; delete URL.canParse; delete Navigator.prototype.locks`)
  const address = world.pages.add(pageWith({ url: world.service.url, key: inbox.key, body: '' }))
  const visitor = await newTab(await context.newPage(), address)
  await visitor.open()
  await visitor.write('Is it in stock?')
  await visitor.chat.locator('.message time').waitFor()
  await agentOf(world.service.url, inbox).reply('Yes, see https://example.com/teapots')
  await visitor.chat.getByRole('link', { name: 'https://example.com/teapots' }).waitFor()
})

test('of more files than a message takes, the chat names those that are not taken', async () => {
  const inbox = await makeInbox(world.service.url)
  const visitor = await visit(
    world.browser,
    world.pages.add(pageWith({ url: world.service.url, key: inbox.key, body: '' })),
  )
  await visitor.open()
  const files = Array.from({ length: 12 }, (_, index) => ({
    name: `file-${index + 1}.txt`,
    mimeType: 'text/plain',
    buffer: Buffer.from('hello'),
  }))
  await visitor.chat.locator('input[type=file]').setInputFiles(files)
  await visitor.chat.getByRole('alert').getByText('Not taken: file-11.txt, file-12.txt').waitFor()
  expect(await visitor.chat.locator('.compose .files li').count()).toBe(10)
})
