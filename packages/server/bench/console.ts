// `npm run bench console`: the agents' console in the chromium that CRM_TEST_CHROMIUM names, with one large tenant: the
// first load, the requests of an open inbox, the time from a message elsewhere to the pixel, the time from a key to the
// pixel in a list of 10,000 rows, and the longest task while a thread of 5,000 messages is opened and read to its beginning.
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { chromium, type Page } from 'playwright-core'
import { signIn } from '../test/browser/support/console-browser.ts'
import { call, registerTenant } from '../test/support/call.ts'
import { startChild } from './support/child.ts'
import { printFigures } from './support/print-figures.ts'

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '10000' },
    thread: { type: 'string', default: '5000' },
    messages: { type: 'string', default: '200' },
    keys: { type: 'string', default: '100' },
    idleSeconds: { type: 'string', default: '60' },
  },
})
const [rows, threadLength, messages, keys, idleSeconds] = [
  options.rows,
  options.thread,
  options.messages,
  options.keys,
  options.idleSeconds,
].map(Number) as [number, number, number, number, number]
const customers = 100
const atOnce = 16

function percentile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return Math.round((sorted[Math.ceil(sorted.length * share) - 1] ?? 0) * 10) / 10
}

async function inParallel(count: number, work: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0
  const worker = async () => {
    for (let index = next++; index < count; index = next++) await work(index)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

/** A tenant with many conversations; the newest one is long. */
async function seed(url: string) {
  const { token, email } = await registerTenant(url)
  const post = async (route: string, body: object) => {
    const reply = await call(url, { method: 'POST', path: `/api/v1/${route}`, token, body })
    if (reply.status !== 201) throw new Error(`${route}: ${JSON.stringify(reply.body)}`)
    return reply.body.data._id as string
  }
  const people: string[] = []
  for (let index = 0; index < customers; index++)
    people.push(await post('customers', { firstName: `Customer ${index}` }))
  const inboxId = (await call(url, { path: '/api/v1/inboxes', token })).body.data[0]._id as string
  const begin = (index: number) =>
    post('conversations', {
      subject: `Question ${index}`,
      inboxId,
      customerId: people[index % customers],
    })
  await inParallel(rows - 1, begin)
  const long = await begin(rows)
  const say = (content: string) =>
    post(`conversations/${long}/messages`, { content, direction: 'inbound', contentType: 'text' })
  await inParallel(threadLength, (index) => say(`Message ${index}: the lamp does not switch on.\nSincerely`))
  return { email, long, say }
}

/** Milliseconds from a key to the drawn frame in which another row is the chosen one. */
function keyToPaint(page: Page): Promise<number> {
  return page.evaluate(`(async () => {
    const chosen = () => document.querySelector('.row[aria-current=true]')?.getAttribute('href')
    const before = chosen()
    const startedAt = performance.now()
    window.dispatchEvent(new KeyboardEvent('keydown', { key: 'j', code: 'KeyJ' }))
    while (chosen() === before) await new Promise(requestAnimationFrame)
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
    return performance.now() - startedAt
  })()`)
}

/** Scrolls until every row of the list is loaded. */
async function loadAllRows(page: Page): Promise<void> {
  const rowHeight = 84
  await page.evaluate(`(async () => {
    const box = document.querySelector('.list-rows .virtual-list')
    while (box.scrollHeight < ${rows * rowHeight}) {
      box.scrollTop = box.scrollHeight
      await new Promise(requestAnimationFrame)
    }
    box.scrollTop = 0
  })()`)
}

async function measureKeys(page: Page): Promise<number[]> {
  await loadAllRows(page)
  const times: number[] = []
  for (let index = 0; index < keys; index++) times.push(await keyToPaint(page))
  return times
}

/** When a text was drawn at the end of the thread, in milliseconds since 1970. */
function paintedAt(page: Page, text: string): Promise<number> {
  return page.evaluate(`(async () => {
    const newest = () => document.querySelector('.thread-messages').lastElementChild?.textContent
    while (!newest()?.includes('${text}')) await new Promise(requestAnimationFrame)
    await new Promise((resolve) => setTimeout(resolve))
    return performance.timeOrigin + performance.now()
  })()`)
}

async function measureMessages(page: Page, say: (content: string) => Promise<string>): Promise<number[]> {
  const times: number[] = []
  for (let index = 0; index < messages; index++) {
    const content = randomUUID()
    const painted = paintedAt(page, content)
    await say(content)
    const committedAt = performance.timeOrigin + performance.now()
    times.push(Math.max(0, (await painted) - committedAt))
  }
  return times
}

/** Longest task since the last call, ms. The browser reports tasks from 50 ms on: 0 stands for less. */
function longestTask(page: Page): Promise<number> {
  return page.evaluate(`(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
    return Math.round(Math.max(0, ...window.longTasks.splice(0)))
  })()`)
}

async function measureThread(page: Page, open: () => Promise<void>) {
  await longestTask(page)
  await open()
  await page.locator('.thread-messages article').first().waitFor()
  const opening = await longestTask(page)
  await page.evaluate(`(async () => {
    const older = () => document.querySelector('.thread-older button')
    while (older()) {
      const shown = document.querySelectorAll('.thread-messages article').length
      older().click()
      while (document.querySelectorAll('.thread-messages article').length === shown)
        await new Promise(requestAnimationFrame)
    }
  })()`)
  return {
    'opening, longest task, ms': opening,
    'to its beginning, longest task, ms': await longestTask(page),
  }
}

/** Opens the inbox of a person who is signed in, and counts what the page asks for. */
async function measureOpening(page: Page, address: string) {
  const api: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/')) api.push(pathname)
  })
  const startedAt = performance.now()
  await page.goto(address)
  await page.locator('.row').first().waitFor()
  const shownMs = Math.round(performance.now() - startedAt)
  await page.getByText('Customer 0').first().waitFor()
  await wait(2_000)
  const opening = api.splice(0)
  await wait(idleSeconds * 1_000)
  return {
    requests: opening.length,
    'rows shown after, ms': shownMs,
    'requests of an idle minute': Math.round((api.length * 60) / idleSeconds),
  }
}

async function firstLoadBytes(page: Page, address: string): Promise<number> {
  const bodies: Promise<Buffer>[] = []
  page.on('response', (response) => {
    if (/\.(js|css)$/.test(new URL(response.url()).pathname)) bodies.push(response.body())
  })
  await page.goto(address)
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  return (await Promise.all(bodies)).reduce((sum, body) => sum + gzipSync(body, { level: 9 }).length, 0)
}

const dataDir = await mkdtemp(path.join(tmpdir(), 'crmkit-bench-'))
const server = await startChild('packages/server/src/main/crm-server.ts', ['start'], {
  PORT: '0',
  CRM_DATA_DIR: dataDir,
  CRM_LOG_LEVEL: 'error',
  CRM_RATE_LIMITS: 'off',
})
const executablePath = process.env['CRM_TEST_CHROMIUM'] ?? ''
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
try {
  const { email, long, say } = await seed(server.url)
  const address = `${server.url}/console/`
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.addInitScript(`
    window.longTasks = []
    new PerformanceObserver((list) => {
      window.longTasks.push(...list.getEntries().map(({ duration }) => duration))
    }).observe({ type: 'longtask', buffered: true })
  `)
  const bytes = await firstLoadBytes(page, address)
  await signIn(page, email)
  const opening = await measureOpening(page, address)
  const thread = await measureThread(page, () => page.locator(`.row[href$="${long}"]`).click())
  await page.goto(`${address}inbox/open/-/-/${long}`)
  await page.locator('.thread-messages article').first().waitFor()
  const messageTimes = await measureMessages(page, say)
  const keyTimes = await measureKeys(page)
  printFigures(
    'console',
    {
      'first load': { 'gzip, bytes': bytes },
      'opening the inbox': opening,
      'message elsewhere to pixel': {
        'p50, ms': percentile(messageTimes, 0.5),
        'p99, ms': percentile(messageTimes, 0.99),
      },
      [`key to paint, ${rows} rows`]: {
        'p50, ms': percentile(keyTimes, 0.5),
        'p95, ms': percentile(keyTimes, 0.95),
      },
      [`thread of ${threadLength} messages`]: thread,
    },
    { rows, thread: threadLength, messages, keys, idleSeconds },
  )
} finally {
  await browser.close()
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
}
