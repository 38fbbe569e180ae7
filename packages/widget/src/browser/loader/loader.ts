import { directionOf, languageOf } from '../shared/languages.ts'
import type { WidgetConfig } from '../shared/protocol.ts'
import { bubbleEnglish } from '../shared/strings.ts'
import { Panel } from './panel.ts'
import { say } from './say.ts'
import { codes, readTexts } from './texts.ts'

type Listener = (value?: unknown) => void

interface Api {
  (...args: unknown[]): void
  q?: unknown
  key?: string
}

const page = window as unknown as { CRMWidget?: Api }
const script = document.currentScript as HTMLScriptElement
const key = script.dataset['key'] ?? ''
/** From the script's own address, so that a service under a path such as `/support` works. */
const base = script.src.slice(0, script.src.lastIndexOf('/widget/'))

const listeners = new Map<unknown, Listener[]>([
  ['unread', []],
  ['expired', []],
])
let unread = 0
let panel: Panel | undefined
/** Calls before the settings have come; undefined when the widget cannot be shown. */
let early: unknown[][] | undefined = []
let blockedBy: string | undefined

function notify(name: string, value?: unknown): void {
  for (const listener of listeners.get(name) ?? []) callListener(listener, value)
}

/** A mistake of the page's function must not stop the widget. */
function callListener(listener: Listener, value?: unknown): void {
  try {
    listener(value)
  } catch (error) {
    console.error(error)
  }
}

function listen(name: unknown, listener: unknown): void {
  const known = listeners.get(name)
  if (!known || typeof listener !== 'function') {
    say(`unknown call CRMWidget('on', ${String(name)})`)
    return
  }
  known.push(listener as Listener)
  if (name === 'unread') callListener(listener as Listener, unread)
}

function identify(options: unknown): void {
  const userToken = (options as { userToken?: unknown } | undefined)?.userToken
  if (typeof userToken === 'string' && userToken !== '') panel?.identify(userToken)
  else say("CRMWidget('identify') needs {userToken}")
}

/** The stub has begun with the key already; an app may repeat the call on each of its pages. */
function boot(options: unknown): void {
  const given = (options as { key?: unknown } | undefined)?.key
  if (given !== key)
    say(`CRMWidget('boot') for ${String(given)} is not heard: a page has one widget, here ${key}`)
}

const commands = ['open', 'close', 'identify', 'shutdown', 'sound'] as const

function isCommand(name: unknown): name is (typeof commands)[number] {
  return (commands as readonly unknown[]).includes(name)
}

function run([name, ...args]: unknown[]): void {
  if (name === 'boot') {
    boot(args[0])
    return
  }
  if (name === 'on') {
    listen(args[0], args[1])
    return
  }
  if (!isCommand(name)) {
    say(`unknown call CRMWidget(${String(name)})`)
    return
  }
  if (!panel) {
    early?.push([name, ...args])
    return
  }
  if (name === 'identify') identify(args[0])
  else if (name === 'sound') panel.sound(args[0] !== false)
  else panel[name]()
}

function takeCalls(): void {
  const queued = page.CRMWidget?.q
  const api: Api = (...args) => {
    try {
      run(args)
    } catch (error) {
      console.error(error)
    }
  }
  // A page may hold the function that only queues: it pushes into this from now on.
  api.q = { push: (args: ArrayLike<unknown>) => api(...Array.from(args)) }
  api.key = key
  page.CRMWidget = api
  if (Array.isArray(queued)) for (const args of queued) api(...Array.from(args as ArrayLike<unknown>))
}

/** The page's own policy says nothing that its developer would connect with the widget, so one line names the directive. */
function reportViolations(event: SecurityPolicyViolationEvent): void {
  if (event.disposition !== 'enforce' || !event.blockedURI.startsWith(new URL(base).origin)) return
  if (blockedBy !== undefined) return
  blockedBy = event.effectiveDirective
  say(`the page's Content-Security-Policy blocks it: add ${base} to ${blockedBy}`)
}

async function readConfig(): Promise<WidgetConfig | undefined> {
  try {
    const response = await fetch(`${base}/api/v1/widget/config?key=${encodeURIComponent(key)}`, {
      credentials: 'omit',
    })
    const body = await response.json()
    if (response.ok) return body.data
    if (response.status === 404) say(`no inbox has the key ${key}`)
    else say(`${body.error ?? response.status} (key ${key}, page ${location.origin})`)
  } catch {
    // The report of a violation is a task of its own, which may come later.
    setTimeout(() => {
      if (blockedBy !== undefined) return
      say(
        `${base} gives no settings for the key ${key}: it cannot be reached, or the inbox does not allow this page; then add ${location.origin} to its allowed origins`,
      )
    }, 100)
  }
  return undefined
}

async function start(): Promise<void> {
  document.addEventListener('securitypolicyviolation', reportViolations)
  takeCalls()
  const { lang } = document.documentElement
  const { code, tag } = languageOf([lang, ...navigator.languages], codes)
  const [config, given] = await Promise.all([readConfig(), readTexts(base, code)])
  const calls = early ?? []
  early = undefined
  if (!config) return
  if (document.readyState === 'loading') {
    await new Promise((resolve) => document.addEventListener('DOMContentLoaded', resolve, { once: true }))
  }
  const { dir } = document.documentElement
  const texts = { ...given, ...config.texts }
  panel = new Panel({
    base,
    key,
    config,
    language: tag,
    direction: directionOf(code, dir || document.body?.dir || ''),
    texts: { ...bubbleEnglish, ...texts },
    given: texts,
    onUnread: (count) => {
      if (count === unread) return
      unread = count
      notify('unread', count)
    },
    onExpired: () => notify('expired'),
  })
  for (const call of calls) run(call)
  // The link in a mail with a reply leads back to the chat.
  if (location.hash === '#crm-chat') panel.open()
}

void start()
