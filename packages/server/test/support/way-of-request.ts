import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { call, createKey, registerTenant } from './call.ts'

const reporter = fileURLToPath(new URL('./report-way.ts', import.meta.url))
// From its sources: a bundle is one file.
const program = fileURLToPath(new URL('../../src/main/crm-server.ts', import.meta.url))
const packages = fileURLToPath(new URL('../../..', import.meta.url))

/** The limits are counted as usual, but never reached. */
const limits = { CRM_LIMIT_KEY_PER_MINUTE: '1000000', CRM_LIMIT_TENANT_PER_MINUTE: '1000000' }

/** The code that one request runs through on the main thread, without what follows its response. */
export interface Way {
  /** Own files, by their path in `packages`, with the calls of each function. */
  files: Map<string, Map<string, number>>
  functions: number
  calls: number
}

interface Script {
  url: string
  functions: { functionName: string; ranges: { count: number; startOffset: number }[] }[]
}

const warmRequests = 30
const countedRequests = 6

/**
 * Sends the request until all is warm, and counts the last ones. Work by the clock falls into some of them only, so the
 * way is the part that all of them have in common.
 */
async function wayOf(child: ChildProcess, send: (index: number) => Promise<unknown>): Promise<Way> {
  let common: Way['files'] | undefined
  for (let index = 0; index < warmRequests + countedRequests; index++) {
    const reported = once(child, 'message')
    await send(index)
    const [scripts] = (await reported) as [Script[]]
    if (index < warmRequests) continue
    common = common ? commonOf(common, filesOf(scripts)) : filesOf(scripts)
  }
  const counts = [...(common ?? new Map<string, Map<string, number>>()).values()].flatMap((calls) => [
    ...calls.values(),
  ])
  return {
    files: common ?? new Map(),
    functions: counts.length,
    calls: counts.reduce((sum, count) => sum + count, 0),
  }
}

/** Starts a service on SQLite, and returns the ways of a read and of a create of a customer with an API key. */
export async function waysOfCustomers(): Promise<{ read: Way; create: Way }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'crmkit-way-'))
  const env = { ...process.env, ...limits, PORT: '0', CRM_DATA_DIR: folder, CRM_LOG_LEVEL: 'error' }
  const execArgv = ['--conditions=@crmkit/source', '--import', reporter]
  const child = fork(program, ['start', '--dev'], {
    env,
    execArgv,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  try {
    const url = await urlOf(child)
    const owner = await registerTenant(url)
    const key = await createKey(url, owner.token, ['read:customers', 'write:customers'])
    const create = async (index: number) => {
      const body = { firstName: 'Ada', lastName: `Created ${index}`, email: `created${index}@example.com` }
      const { status, body: reply } = await call(url, {
        method: 'POST',
        path: '/api/v1/customers',
        token: key,
        body,
      })
      if (status !== 201) throw new Error(JSON.stringify(reply))
      return reply.data._id
    }
    const id = await create(-1)
    const read = () => call(url, { path: `/api/v1/customers/${id}`, token: key })
    const begun = once(child, 'message')
    child.send('begin')
    await begun
    return { read: await wayOf(child, read), create: await wayOf(child, create) }
  } finally {
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
}

async function urlOf({ stdout }: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: stdout as Readable })) {
    const url = /listening on (\S+)/.exec(line)?.[1]
    if (url) return url
  }
  throw new Error('the server ended before it listened')
}

function filesOf(scripts: readonly Script[]): Way['files'] {
  const files: Way['files'] = new Map()
  for (const { url, functions } of scripts) {
    if (!url.startsWith('file:')) continue
    const file = path.relative(packages, fileURLToPath(url))
    if (!/^[a-z]+\/src\//.test(file)) continue
    const calls = new Map<string, number>()
    for (const { functionName, ranges } of functions) {
      const { count = 0, startOffset = 0 } = ranges[0] ?? {}
      if (count > 0) calls.set(`${functionName || 'anonymous'} ${startOffset}`, count)
    }
    if (calls.size > 0) files.set(file, calls)
  }
  return files
}

function commonOf(one: Way['files'], other: Way['files']): Way['files'] {
  const files: Way['files'] = new Map()
  for (const [file, calls] of one) {
    const others = other.get(file)
    if (others === undefined) continue
    const common = new Map<string, number>()
    for (const [name, count] of calls) {
      const otherCount = others.get(name)
      if (otherCount !== undefined) common.set(name, Math.min(count, otherCount))
    }
    if (common.size > 0) files.set(file, common)
  }
  return files
}
