import { setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'
import { StorageUnavailable } from '../../../storage/errors.ts'
import { fromErrorData } from '../connection/sqlite-errors.ts'
import type { LifeCalls, WireReply, WireRequest } from './wire.ts'

interface Pending {
  resolve(reply: unknown): void
  reject(error: Error): void
}

type CallTable<Calls> = { [C in keyof Calls]: { request: unknown; reply: unknown } }

/** The main thread's end of a worker. Calls of one tick are sent as one message, and so are their replies. */
export interface ThreadClient<Calls extends CallTable<Calls>> {
  call<C extends keyof Calls & string>(call: C, request: Calls[C]['request']): Promise<Calls[C]['reply']>
  /** Returns false once the thread has ended or `close` was called. */
  isAlive(): boolean
  /** Waits for running calls, then ends the thread. Refuses later calls. */
  close(): Promise<void>
}

/** The file is next to this one, as source or compiled: no compiler changes the extension inside `new URL`. */
function workerUrl(name: string): URL {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  return new URL(`./${name}.${extension}`, import.meta.url)
}

/** Rows pass through a thread and leave only garbage: a large young generation would stay reserved for nothing. */
const resourceLimits = { maxYoungGenerationSizeMb: 12 }

function startWorker(name: string): Worker {
  const url = workerUrl(name)
  if (url.pathname.endsWith('.js')) return new Worker(url, { name, resourceLimits })
  // Node strips the types of sources with WebAssembly. On Node 24 a thread that compiled faster wrappers for its calls
  // sometimes crashed the process: three core files show `TierUpWasmToJSWrapper` and `Check failed:
  // jit_page.has_value()` (nodejs/node#64500 describes the like). This budget prevents the compilation. Compiled files
  // hold no types to strip.
  setFlagsFromString('--wasm-wrapper-tiering-budget=1000000000')
  const condition = '--conditions=@crmkit/source'
  // A thread inherits these by itself, and refuses to get V8's own options by name.
  if (process.execArgv.includes(condition)) return new Worker(url, { name, resourceLimits })
  // A test runner resolves sources in its own way; the thread needs the condition.
  return new Worker(url, { name, resourceLimits, execArgv: [...process.execArgv, condition] })
}

/** Starts a thread. `onReplies` is called before any caller gets its reply from a message. */
export function startThread<Calls extends CallTable<Calls>>(
  name: string,
  onReplies?: () => void,
): ThreadClient<Calls & LifeCalls> {
  const worker = startWorker(name)
  const pending = new Map<number, Pending>()
  let outgoing: WireRequest[] = []
  let nextId = 1
  let refusal: StorageUnavailable | undefined
  let whenIdle: (() => void) | undefined

  function settle(reply: WireReply): void {
    const waiting = pending.get(reply.id)
    pending.delete(reply.id)
    if ('error' in reply) waiting?.reject(fromErrorData(reply.error))
    else waiting?.resolve(reply.reply)
    if (pending.size === 0) whenIdle?.()
  }

  function fail(reason: string): void {
    refusal ??= new StorageUnavailable(reason)
    for (const { reject } of pending.values()) reject(new StorageUnavailable(reason))
    pending.clear()
    whenIdle?.()
  }

  worker.on('message', (replies: WireReply[]) => {
    onReplies?.()
    replies.forEach(settle)
  })
  worker.on('error', (error) => fail(`the storage thread failed: ${error.message}`))
  worker.on('exit', () => fail('the storage is closed'))

  function send(): void {
    const batch = outgoing
    outgoing = []
    worker.postMessage(batch)
  }

  function post(call: string, request: unknown): Promise<unknown> {
    const id = nextId++
    if (outgoing.length === 0) queueMicrotask(() => setImmediate(send))
    outgoing.push({ id, call, request })
    return new Promise((resolve, reject) => pending.set(id, { resolve, reject }))
  }

  async function close(): Promise<void> {
    if (refusal) return
    refusal = new StorageUnavailable('the storage is closed')
    if (pending.size > 0) await new Promise<void>((resolve) => (whenIdle = resolve))
    whenIdle = undefined
    const exited = new Promise((resolve) => worker.once('exit', resolve))
    await post('close', null)
    await exited
  }

  return {
    call: (call, request) => {
      if (refusal) return Promise.reject(refusal)
      return post(call, request) as Promise<never>
    },
    isAlive: () => refusal === undefined,
    close,
  }
}
