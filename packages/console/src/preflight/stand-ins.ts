/*
 * Functions that a browser may lack: an older one, one that denies storage, or any on a page by http under a name, where browsers
 * hide a part of their functions. The console works with these in their place, in one tab at a time.
 */

type Work<T> = (lock: object | null) => T | PromiseLike<T>

interface LockOptions {
  readonly signal?: AbortSignal
  readonly ifAvailable?: boolean
}

/** Locks of this page alone, by their name. */
class PageLocks {
  readonly #tails = new Map<string, Promise<unknown>>()

  request<T>(name: string, options: LockOptions | Work<T>, work?: Work<T>): Promise<T> {
    if (typeof options === 'function') return this.#queue(name, {}, options)
    return work === undefined ? Promise.reject(new TypeError('No work')) : this.#queue(name, options, work)
  }

  async #queue<T>(name: string, { signal, ifAvailable }: LockOptions, work: Work<T>): Promise<T> {
    const before = this.#tails.get(name)
    if (ifAvailable && before !== undefined) return work(null)
    const result = Promise.resolve(before).then(() => {
      signal?.throwIfAborted()
      return work({ name })
    })
    const tail = result.catch(() => undefined)
    this.#tails.set(name, tail)
    await tail
    if (this.#tails.get(name) === tail) this.#tails.delete(name)
    return result
  }
}

/** A channel without other tabs. */
class LonelyChannel extends EventTarget {
  postMessage(): void {}
  close(): void {}
}

function memoryStorage(): Storage {
  const values = new Map<string, string>()
  const storage = {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
    clear: () => values.clear(),
    key: (index: number) => [...values.keys()][index] ?? null,
    get length() {
      return values.size
    },
  }
  return new Proxy(storage, { ownKeys: () => [...values.keys()], getOwnPropertyDescriptor: entryOf })
}

const entryOf = () => ({ enumerable: true, configurable: true, writable: true, value: '' })

function randomUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const hex = [...bytes].map((byte, index) => {
    if (index === 6) return ((byte & 0x0f) | 0x40).toString(16).padStart(2, '0')
    return (index === 8 ? (byte & 0x3f) | 0x80 : byte).toString(16).padStart(2, '0')
  })
  return hex.join('').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

function withResolvers<T>() {
  let resolve: (value: T | PromiseLike<T>) => void = () => undefined
  let reject: (reason?: unknown) => void = () => undefined
  const promise = new Promise<T>((...both) => {
    ;[resolve, reject] = both
  })
  return { promise, resolve, reject }
}

function canParse(text: string, base?: string): boolean {
  try {
    return new URL(text, base) instanceof URL
  } catch {
    return false
  }
}

function hasStorage(): boolean {
  try {
    return window.localStorage !== null
  } catch {
    return false
  }
}

/** Fills in whatever is missing, and nothing else. */
export function addStandIns(): void {
  const add = (target: object, name: string, value: unknown) => {
    if (!(name in target)) Object.defineProperty(target, name, { value, configurable: true, writable: true })
  }
  add(navigator, 'locks', new PageLocks())
  add(window, 'BroadcastChannel', LonelyChannel)
  add(Promise, 'withResolvers', withResolvers)
  add(URL, 'canParse', canParse)
  add(crypto, 'randomUUID', randomUuid)
  if (!hasStorage()) Object.defineProperty(window, 'localStorage', { value: memoryStorage() })
}
