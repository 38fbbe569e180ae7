import { say } from './say.ts'

declare const LOADER_NAME: string
declare const LOADER_INTEGRITY: string

interface Queue {
  (...args: unknown[]): void
  q?: ArrayLike<unknown>[]
  key?: string | undefined
}

/** The part of `window.trustedTypes` that is used here; the addresses are objects, which only a browser makes. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(address: string): string }): AddressPolicy
}

interface AddressPolicy {
  createScriptURL(address: string): string
}

// Caches keep this file for minutes and the loader for a year: only the name of the loader changes.
const page = window as unknown as { CRMWidget?: Queue; trustedTypes?: TrustedTypes }
/** The address of this file in the stack of an error. */
function ownAddress(): string {
  // bounded: the browser has written it, of a few calls.
  const [address = ''] = /http\S+?\/widget\/v1\.js[^:\s)]*/.exec(new Error().stack ?? '') ?? []
  return address
}

// A module has no current script, and one that is imported has no tag.
const script: Pick<HTMLScriptElement, 'src' | 'dataset'> & { nonce?: string } =
  (document.currentScript as HTMLScriptElement | null) ??
    document.querySelector<HTMLScriptElement>(
      'script[data-key][src*="/widget/v1.js"],script[src*="/widget/v1.js?"]',
    ) ?? { src: ownAddress(), dataset: {} }
// Tag managers keep the address of a script and drop its other attributes.
const givenKey = script.dataset['key'] || new URL(script.src).searchParams.get('key')
const queue: Queue =
  page.CRMWidget ??
  ((...args: unknown[]) => {
    const widget = page.CRMWidget as Queue
    widget.q ??= []
    widget.q.push(args)
  })
page.CRMWidget = queue

interface LoaderFile {
  name: string
  integrity: string
}

let policy: AddressPolicy | undefined

/** A page with Trusted Types takes the address of a script from a policy alone; this one is for the loader. */
function trusted(address: string): string {
  try {
    policy ??= page.trustedTypes?.createPolicy('crmkit', { createScriptURL: (given) => given })
  } catch {
    // The page forbids the policy. It may still take the text, where it does not require one.
  }
  return policy?.createScriptURL(address) ?? address
}

function load(key: string, { name, integrity }: LoaderFile, onError: () => void): void {
  const loader = document.createElement('script')
  loader.async = true
  // Browsers check the hash of a file from another origin only when it is fetched with CORS.
  loader.crossOrigin = 'anonymous'
  loader.integrity = integrity
  if (script.nonce) loader.nonce = script.nonce
  loader.dataset['key'] = key
  loader.onerror = onError
  try {
    loader.src = trusted(new URL(name, script.src).href)
  } catch {
    say("the page's Content-Security-Policy blocks it: add crmkit to trusted-types")
    return
  }
  document.head.append(loader)
}

function giveUp(): void {
  say(`${script.src} names a file that cannot be loaded`)
}

/** A newer server no longer has the file that an older copy of this script names: reads this script past the cache. */
async function loadNewest(key: string): Promise<void> {
  try {
    const text = await (await fetch(script.src, { cache: 'reload' })).text()
    const [, name] = /"(\w+\.js)"/.exec(text) ?? []
    const [integrity] = /sha384-[\w+/=]+/.exec(text) ?? []
    if (name && integrity) load(key, { name, integrity }, giveUp)
    else giveUp()
  } catch {
    giveUp()
  }
}

function start(key: string): void {
  // The snippet twice is one widget.
  if (queue.key) return
  queue.key = key
  load(key, { name: LOADER_NAME, integrity: LOADER_INTEGRITY }, () => void loadNewest(key))
}

function bootBy({ 0: name, 1: options }: ArrayLike<unknown>): void {
  const key = (options as { key?: unknown } | undefined)?.key
  if (name === 'boot' && key && typeof key === 'string') start(key)
}

/** The page gives the key by a call, perhaps later. The call stays in the queue for the loader, as every other one. */
function waitForBoot(): void {
  queue.q ??= []
  const calls = queue.q
  calls.forEach(bootBy)
  if (queue.key) return
  // Also the function that the page itself has written pushes into this list.
  calls.push = (...added) => {
    added.forEach(bootBy)
    return Array.prototype.push.apply(calls, added)
  }
  say("no key yet: the script has neither data-key nor ?key=, so it waits for CRMWidget('boot', { key })")
}

if (givenKey) start(givenKey)
else if (!queue.key) waitForBoot()
