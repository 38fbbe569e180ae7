import { say } from './say.ts'

declare const LOADER_NAME: string
declare const LOADER_INTEGRITY: string

interface Queue {
  (...args: unknown[]): void
  q?: unknown[]
  key?: string | undefined
}

// Caches keep this file for minutes and the loader for a year: only the name of the loader changes.
const page = window as unknown as { CRMWidget?: Queue }
const script = (document.currentScript ??
  document.querySelector('script[data-key][src*="/widget/v1.js"]')) as HTMLScriptElement
const key = script.dataset['key']
const queue: Queue =
  page.CRMWidget ??
  ((...args: unknown[]) => {
    const widget = page.CRMWidget as Queue
    widget.q ??= []
    widget.q.push(args)
  })
page.CRMWidget = queue

function load(name: string, integrity: string, onError: () => void): void {
  const loader = document.createElement('script')
  loader.async = true
  // Browsers check the hash of a file from another origin only when it is fetched with CORS.
  loader.crossOrigin = 'anonymous'
  loader.integrity = integrity
  if (script.nonce) loader.nonce = script.nonce
  loader.dataset['key'] = key
  loader.src = new URL(name, script.src).href
  loader.onerror = onError
  document.head.append(loader)
}

function giveUp(): void {
  say(`${script.src} names a file that cannot be loaded`)
}

/** A newer server no longer has the file that an older copy of this script names: reads this script past the cache. */
async function loadNewest(): Promise<void> {
  try {
    const text = await (await fetch(script.src, { cache: 'reload' })).text()
    const [, name] = /"(\w+\.js)"/.exec(text) ?? []
    const [integrity] = /sha384-[\w+/=]+/.exec(text) ?? []
    if (name && integrity) load(name, integrity, giveUp)
    else giveUp()
  } catch {
    giveUp()
  }
}

// The snippet twice is one widget.
if (!queue.key) {
  queue.key = key
  if (key) load(LOADER_NAME, LOADER_INTEGRITY, () => void loadNewest())
  else say('the script has no data-key')
}
