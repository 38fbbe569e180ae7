import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { expect } from 'vitest'

/*
 * Firefox by WebDriver BiDi, which it speaks itself. Playwright drives a Firefox of its own alone, and no library is needed for the
 * dozen commands of a journey.
 */

/** An element by its CSS selector, also in open shadow roots; `text`: its label, value or text has this in it. */
interface Wanted {
  css: string
  text?: string
}

/** A window of a person who shares nothing with the others, or a frame in it. */
export interface FirefoxPage {
  goto(address: string): Promise<void>
  /** Waits until a visible element is there. */
  see(wanted: Wanted): Promise<void>
  /** Waits until no visible element is there. */
  miss(wanted: Wanted): Promise<void>
  /** Presses with the mouse, in the middle of the element. */
  click(wanted: Wanted): Promise<void>
  /** Presses keys where the focus is. */
  type(text: string): Promise<void>
  /** The value of an expression. */
  read(expression: string): Promise<unknown>
  /** Waits for the frame whose address has this in it. */
  frame(part: string): Promise<FirefoxPage>
  setOffline(isOffline: boolean): Promise<void>
  /** The errors of the page's scripts. */
  readonly complaints: readonly string[]
}

interface Firefox {
  /** A window with cookies and storage of its own. */
  open(address: string): Promise<FirefoxPage>
  close(): Promise<void>
}

// biome-ignore lint/suspicious/noExplicitAny: each command has a result of its own shape
type Result = any
type Send = (method: string, params: object) => Promise<Result>

interface LogEntry {
  level: string
  text: string
  source: { context?: string }
}

export async function launchFirefox(): Promise<Firefox> {
  const profile = mkdtempSync(path.join(tmpdir(), 'crmkit-firefox-'))
  const options = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0']
  const program = process.env['CRM_TEST_FIREFOX'] ?? ''
  const child = spawn(program, options, { stdio: ['ignore', 'ignore', 'pipe'] })
  const exited = once(child, 'exit')
  const entries: LogEntry[] = []
  const { send, end } = await connect(await addressOf(child.stderr), (entry) => entries.push(entry))
  await send('session.new', { capabilities: {} })
  await send('session.subscribe', { events: ['log.entryAdded'] })
  return {
    async open(address) {
      const { userContext } = await send('browser.createUserContext', {})
      // A window, not a tab: a browser slows tabs down that nobody sees.
      const { context } = await send('browsingContext.create', { type: 'window', userContext })
      await send('browsingContext.setViewport', { context, viewport: { width: 1440, height: 900 } })
      const page = pageOf(send, context, entries)
      await page.goto(address)
      return page
    },
    async close() {
      await send('browser.close', {})
      end()
      await exited
      rmSync(profile, { recursive: true, force: true })
    },
  }
}

/** The address of the line `WebDriver BiDi listening on ws://…`. */
async function addressOf(stderr: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: stderr })) {
    const [, address] = /BiDi listening on (ws:\S+)/.exec(line) ?? []
    if (address !== undefined) {
      // A pipe that nobody reads stops the browser when it is full.
      stderr.resume()
      return `${address}/session`
    }
  }
  throw new Error('Firefox ended before it listened')
}

async function connect(address: string, onEntry: (entry: LogEntry) => void) {
  const socket = new WebSocket(address)
  const waiting = new Map<number, { resolve(result: Result): void; reject(error: Error): void }>()
  await new Promise<void>((resolve, reject) => {
    socket.onopen = () => resolve()
    socket.onerror = () => reject(new Error(`No connection to ${address}`))
  })
  socket.onmessage = ({ data }) => {
    const { id, type, method, result, params, error, message } = JSON.parse(data)
    if (method === 'log.entryAdded') onEntry(params)
    const waiter = waiting.get(id)
    waiting.delete(id)
    if (type === 'error') waiter?.reject(new Error(`${error}: ${message}`))
    else waiter?.resolve(result)
  }
  let last = 0
  const send: Send = (method, params) =>
    new Promise((resolve, reject) => {
      last += 1
      waiting.set(last, { resolve, reject })
      socket.send(JSON.stringify({ id: last, method, params }))
    })
  return { send, end: () => socket.close() }
}

/** Runs in the page. */
const finder = `(css, text) => {
  const within = (root) => [
    ...root.querySelectorAll(css),
    ...[...root.querySelectorAll('*')].flatMap((one) => (one.shadowRoot ? within(one.shadowRoot) : [])),
  ]
  const words = (one) => [one.getAttribute('aria-label'), one.labels?.[0]?.textContent, one.value, one.textContent]
  return within(document).find(
    (one) => one.checkVisibility() && (!text || words(one).some((word) => String(word ?? '').includes(text))),
  ) ?? null
}`

function pageOf(send: Send, context: string, entries: readonly LogEntry[]): FirefoxPage {
  const target = { context }
  /** Undefined also while a page is left for another one. */
  const find = async ({ css, text = '' }: Wanted): Promise<string | undefined> => {
    const words = [css, text].map((value) => ({ type: 'string', value }))
    const call = { functionDeclaration: finder, arguments: words, target, awaitPromise: false }
    const found = await send('script.callFunction', call).catch(() => undefined)
    return found?.result?.sharedId
  }
  const see = async (wanted: Wanted): Promise<string> => {
    let found: string | undefined
    await expect
      .poll(async () => (found = await find(wanted)), { message: JSON.stringify(wanted) })
      .toBeDefined()
    return found ?? ''
  }
  const press = async (sharedId: string) => {
    const origin = { type: 'element', element: { sharedId } }
    const [down, up] = ['pointerDown', 'pointerUp'].map((type) => ({ type, button: 0 }))
    const actions = [{ type: 'pointerMove', x: 0, y: 0, origin }, down, up]
    await send('input.performActions', { context, actions: [{ type: 'pointer', id: 'mouse', actions }] })
    return true
  }
  return {
    async goto(url) {
      await send('browsingContext.navigate', { context, url, wait: 'complete' })
    },
    async see(wanted) {
      await see(wanted)
    },
    miss: (wanted) => expect.poll(() => find(wanted), { message: JSON.stringify(wanted) }).toBeUndefined(),
    // An element may be drawn anew between the two commands.
    click: (wanted) =>
      expect.poll(() => see(wanted).then(press), { message: JSON.stringify(wanted) }).toBe(true),
    async type(text) {
      const actions = [...text].flatMap((value) => [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ])
      await send('input.performActions', { context, actions: [{ type: 'key', id: 'keys', actions }] })
    },
    async read(expression) {
      return (await send('script.evaluate', { expression, target, awaitPromise: true })).result.value
    },
    async frame(part) {
      let found: string | undefined
      const look = async () => {
        const { contexts } = await send('browsingContext.getTree', { root: context })
        const frames: { context: string; url: string }[] = contexts[0].children
        found = frames.find(({ url }) => url.includes(part))?.context
        return found
      }
      await expect.poll(look).toBeDefined()
      return pageOf(send, found ?? '', entries)
    },
    async setOffline(isOffline) {
      const networkConditions = isOffline ? { type: 'offline' } : null
      await send('emulation.setNetworkConditions', { contexts: [context], networkConditions })
    },
    get complaints() {
      const own = entries.filter(({ level, source }) => level === 'error' && source.context === context)
      return own.map(({ text }) => text)
    },
  }
}
