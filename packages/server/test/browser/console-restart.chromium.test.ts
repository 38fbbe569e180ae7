import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call, registerTenant } from '../support/call.ts'
import { type Program, serverProgram, startProgram } from '../support/programs.ts'
import { joinAs, openConsole, signIn, writeAsCustomer } from './support/console-browser.ts'

// Two agents at work while their service ends and starts again: nothing is missing, and nothing is there twice.

const dataDir = mkdtempSync(path.join(tmpdir(), 'crmkit-console-'))
let service: Program
let browser: Browser
const start = (port: string) =>
  startProgram(serverProgram, ['start', '--dev'], {
    PORT: port,
    CRM_DATA_DIR: dataDir,
    CRM_LOG_LEVEL: 'error',
  })

beforeAll(async () => {
  service = await start('0')
  const executablePath = process.env['CRM_TEST_CHROMIUM'] ?? ''
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
})
afterAll(async () => {
  await browser.close()
  await service.kill('SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
})

/** Between two messages of the customer, so that a long run does not become a thread of thousands. */
const pauseMs = 300

/** Messages of the customer, one after the other, each until the service has it, also over a restart. */
function receiveAlways(token: string, id: string) {
  const received: string[] = []
  const ending = Promise.withResolvers<void>()
  let isOver = false
  const deliver = async (content: string) => {
    const body = { content, direction: 'inbound', clientMessageId: content }
    const target = `/api/v1/conversations/${id}/messages`
    const sent = await call(service.url, { method: 'POST', path: target, token, body }).catch(() => undefined)
    return sent?.status === 201 || sent?.status === 200
  }
  const run = async () => {
    while (!isOver) {
      const content = `Incoming ${received.length + 1}.`
      if (await deliver(content)) received.push(content)
      await delay(pauseMs)
    }
    ending.resolve()
  }
  void run()
  return {
    received,
    /** Resolves when some more have been stored. */
    more: (count: number) => {
      const before = received.length
      return expect.poll(() => received.length).toBeGreaterThan(before + count)
    },
    end: () => {
      isOver = true
      return ending.promise
    },
  }
}

/** The content of every message, the oldest first. */
async function storedContents(token: string, id: string): Promise<string[]> {
  const contents: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = `limit=100&order=asc${cursor && `&cursor=${encodeURIComponent(cursor)}`}`
    const { body } = await call(service.url, { path: `/api/v1/conversations/${id}/messages?${query}`, token })
    contents.push(...body.data.map(({ content }: { content: string }) => content))
    cursor = body.pagination.nextCursor
  }
  return contents
}

const fieldOf = (page: Page) => page.getByRole('textbox', { name: 'New message' })
const shown = (page: Page): Promise<string[]> =>
  page.evaluate(
    `[...document.querySelectorAll('[role=log] .message-body')].map((body) => body.textContent.trim())`,
  )

async function openAs(address: string, email: string): Promise<Page> {
  const { page } = await openConsole(browser, address)
  await signIn(page, email)
  await page.getByRole('log').getByText('The lamp does not switch on.').waitFor()
  return page
}

/** Sends without the seconds for an undo, and waits until the service has it. */
async function reply(page: Page, content: string): Promise<void> {
  await fieldOf(page).fill(content)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page
    .getByRole('region', { name: 'Waiting to be sent' })
    .getByRole('button', { name: 'Send now' })
    .click()
  await page.locator('.message[data-message]').getByText(content).waitFor()
}

test('two agents see every message once and in order, with drafts and counts, over a kill and a restart', async () => {
  const owner = await registerTenant(service.url)
  const second = await joinAs(service.url, owner.token, 'agent')
  const texts = { subject: 'A broken lamp', content: 'The lamp does not switch on.' }
  const id = await writeAsCustomer(service.url, owner.token, texts)
  const address = `${service.url}/console/inbox/open/-/-/${id}`
  const [ada, ben] = [await openAs(address, owner.email), await openAs(address, second)]
  await ada.getByText('Ben agent is looking').waitFor()
  const incoming = receiveAlways(owner.token, id)
  const replies: string[] = []
  const send = async (page: Page, content: string) => {
    await reply(page, content)
    for (const other of [ada, ben]) await other.getByRole('log').getByText(content).waitFor()
    replies.push(content)
  }
  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    await send(ada, `Ada before ${signal}`)
    await send(ben, `Ben before ${signal}`)
    await fieldOf(ada).fill(`Ada's draft at ${signal}`)
    await incoming.more(3)
    await service.kill(signal)
    // Written while nobody listens: it stays, with its reason, and leaves by itself when the service is back.
    await fieldOf(ben).fill(`Ben during ${signal}`)
    await ben.getByRole('button', { name: 'Send', exact: true }).click()
    await ben.getByText('Not sent.').waitFor()
    service = await start(new URL(service.url).port)
    await incoming.more(3)
    for (const page of [ada, ben])
      await page.locator('.message[data-message]').getByText(`Ben during ${signal}`).waitFor()
    replies.push(`Ben during ${signal}`)
    expect(await fieldOf(ada).inputValue()).toBe(`Ada's draft at ${signal}`)
    await ada.getByText('Ben agent is looking').waitFor()
    await send(ben, `Ben after ${signal}`)
    await send(ada, `Ada after ${signal}`)
  }
  await incoming.end()
  const contents = await storedContents(owner.token, id)
  expect(contents.toSorted()).toEqual([texts.content, ...incoming.received, ...replies].toSorted())
  for (const page of [ada, ben]) {
    await expect.poll(() => shown(page)).toEqual(contents)
    await page.getByRole('link', { name: /^Open.*1 conversations, 0 unread/ }).waitFor()
  }
})
