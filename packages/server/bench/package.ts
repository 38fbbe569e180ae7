// A support history as a package, into a tenant and out of it again, by `crm-server tenants import` and `tenants export`,
// each a process of its own. The growth of memory is that beyond a small package. `--adapter mongodb` starts the mongod
// that MONGOMS_SYSTEM_BINARY names.
import { spawn } from 'node:child_process'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { openPackage, PackageWriter } from '@crmkit/core/package-folder'
import { startMongoSet } from '../test/support/mongo-set.ts'
import { readMemory } from './support/memory.ts'
import { printFigures } from './support/print-figures.ts'

const { values: options } = parseArgs({
  options: {
    conversations: { type: 'string', default: '20000' },
    adapter: { type: 'string', default: 'sqlite' },
  },
})
const conversations = Number(options.conversations)
const small = 1_000
const messagesEach = 5
const conversationsEach = 4
const program = 'packages/server/src/main/crm-server.ts'
const work = await mkdtemp(path.join(tmpdir(), 'crmkit-bench-package-'))
const words = 'The lamp on my desk went dark again, and the new one that you sent does not fit its base.'

async function write(folder: string, count: number): Promise<number> {
  const writer = await PackageWriter.open(folder)
  const at = (index: number, minutes: number) =>
    new Date(Date.UTC(2024, 0, 1) + (index * 10 + minutes) * 60_000).toISOString()
  let rows = 0
  for (let index = 0; index < count; index++) {
    const person = `p${Math.floor(index / conversationsEach)}`
    const [id, email] = [`c${index}`, `${person}@example.com`]
    if (index % conversationsEach === 0) {
      const profile = { id: person, name: `Ada ${person}`, emails: [{ address: email, isPrimary: true }] }
      await writer.write('people', { ...profile, createdAt: at(index, 0) })
      rows++
    }
    const head = { id, subject: `Lamp ${index}`, status: 'closed', personId: person } as const
    await writer.write('conversations', { ...head, createdAt: at(index, 0), closedAt: at(index, 9) })
    for (let number = 0; number < messagesEach; number++) {
      const isIn = number % 2 === 0
      await writer.write('messages', {
        id: `m${index}-${number}`,
        conversationId: id,
        direction: isIn ? 'inbound' : 'outbound',
        author: isIn ? { type: 'person', id: person } : { type: 'agent', id: 'a1' },
        content: `${words} (${index}, ${number})`.repeat(1 + (index % 4)),
        contentType: 'text',
        createdAt: at(index, number),
      })
    }
    rows += 1 + messagesEach
  }
  await writer.write('agents', { id: 'a1', name: 'Olive Owner', email: 'olive@example.com' })
  const source = { product: 'zendesk', account: `acme${count}` }
  await writer.finish({ source, madeAt: '2026-01-31T09:30:00.000Z', complete: true })
  return rows
}

interface Run {
  seconds: number
  peak: number
  /** All words that it has printed. */
  words: string[]
}

/** Runs a command of the server, and watches its memory. */
async function run(args: string[], env: Record<string, string>): Promise<Run> {
  const begunAt = performance.now()
  const child = spawn(process.execPath, ['--conditions=@crmkit/source', program, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let peak = 0
  const watch = setInterval(() => {
    try {
      peak = Math.max(peak, readMemory(child.pid ?? 0))
    } catch {
      // It has ended.
    }
  }, 100)
  const printed: string[] = []
  const ended = once(child, 'exit')
  for await (const line of createInterface({ input: child.stdout })) {
    printed.push(...line.split(/\s+/))
  }
  const [code] = await ended
  clearInterval(watch)
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`)
  return { seconds: (performance.now() - begunAt) / 1000, peak, words: printed }
}

/** Returns the sum over all messages of what they say, which their order and their ids do not change. */
async function saidIn(folder: string): Promise<{ counts: string; said: bigint }> {
  const { manifest } = await openPackage(folder)
  let said = 0n
  for (const { name, kind } of manifest.files) {
    if (kind !== 'messages') continue
    for await (const line of createInterface({ input: createReadStream(path.join(folder, name)) })) {
      const { content, createdAt, direction } = JSON.parse(line)
      said += BigInt(`0x${hash('sha256', `${direction} ${createdAt} ${content}`)}`)
    }
  }
  const counts = ['people', 'conversations', 'messages'] as const
  return { counts: counts.map((kind) => `${kind} ${manifest.counts[kind]?.total}`).join(', '), said }
}

const mongo = options.adapter === 'mongodb' ? await startMongoSet({ members: 1 }) : undefined
try {
  const figures: Record<string, Record<string, number | string>> = {}
  const peaks: Record<string, number[]> = { in: [], out: [] }
  for (const count of [small, conversations]) {
    const [given, taken] = [path.join(work, `in-${count}`), path.join(work, `out-${count}`)]
    const rows = await write(given, count)
    const env = {
      CRM_DATA_DIR: path.join(work, `data-${count}`),
      CRM_LOG_LEVEL: 'error',
      ...(mongo && { DATABASE_URL: mongo.url }),
    }
    const founder = ['--name', `Acme ${count}`, '--email', `owner${count}@example.com`]
    const into = await run(['tenants', 'import', given, ...founder], env)
    const tenantId = into.words.find((word) => word.startsWith('ten_')) ?? ''
    const out = await run(['tenants', 'export', tenantId, taken], env)
    const [before, after] = await Promise.all([saidIn(given), saidIn(taken)])
    peaks['in']?.push(into.peak)
    peaks['out']?.push(out.peak)
    if (count === small) continue
    const megabytes = (bytes: number) => Math.round(bytes / 1024 / 1024)
    const growth = ([first = 0, second = 0]: number[] = []) => megabytes(second - first)
    const figure = (one: Run, name: 'in' | 'out') => ({
      'rows/s': Math.round(rows / one.seconds),
      seconds: Math.round(one.seconds),
      'peak MiB': megabytes(one.peak),
      'MiB more than a small one': growth(peaks[name]),
    })
    figures['import'] = figure(into, 'in')
    figures['export'] = figure(out, 'out')
    figures['equal'] = {
      counts: String(before.counts === after.counts),
      words: String(before.said === after.said),
    }
  }
  printFigures('package', figures, { ...options, messagesEach, conversationsEach })
} finally {
  await mongo?.stop()
  await rm(work, { recursive: true, force: true })
}
