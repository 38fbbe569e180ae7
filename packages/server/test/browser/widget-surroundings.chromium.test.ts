import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningService, startService } from '../support/start-service.ts'
import {
  agentOf,
  launchBrowser,
  makeInbox,
  newTab,
  type Pages,
  pageWith,
  startPages,
  visit,
} from './support/widget-browser.ts'

let service: RunningService
let pages: Pages
let browser: Browser
let closeBrowser: () => Promise<void>
beforeAll(async () => {
  service = await startService()
  pages = await startPages()
  const launched = await launchBrowser()
  browser = launched.browser
  closeBrowser = launched.close
})
afterAll(async () => {
  await closeBrowser()
  await service.stop()
  await pages.close()
})

test('a reply appears in a browser without AbortSignal.any, URL.canParse and Web Locks', async () => {
  const inbox = await makeInbox(service.url)
  const context = await browser.newContext()
  await context.addInitScript(`delete AbortSignal.any; delete URL.canParse; delete Navigator.prototype.locks`)
  const address = pages.add(pageWith({ url: service.url, key: inbox.key, body: '' }))
  const visitor = await newTab(await context.newPage(), address)
  await visitor.open()
  await visitor.write('Is it in stock?')
  await visitor.chat.locator('.message time').waitFor()
  await agentOf(service.url, inbox).reply('Yes, see https://example.com/teapots')
  await visitor.chat.getByRole('link', { name: 'https://example.com/teapots' }).waitFor()
})

test('of more files than a message takes, the chat names those that are not taken', async () => {
  const inbox = await makeInbox(service.url)
  const visitor = await visit(browser, pages.add(pageWith({ url: service.url, key: inbox.key, body: '' })))
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
