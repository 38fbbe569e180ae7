// `npm run soak`: serves a steady load for hours, and finds what only time shows: memory or latency that grows, and work that is lost.
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { json } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { printFigures } from '../../bench/support/print-figures.ts'
import { call, createKey, registerTenant } from '../support/call.ts'
import { type Program, runProgram, serverProgram, startProgram } from '../support/programs.ts'

const usage = `npm run soak -- [--minutes 120] [--rate 20]   so many requests a second on SQLite, with a webhook; Linux
Ends with 1 when a request failed, a message or its event was lost, doctor has a problem, or the memory grew.
`

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '120' },
    rate: { type: 'string', default: '20' },
    help: { type: 'boolean', short: 'h', default: false },
  },
})

const samplesMax = 24
/** Of a memory that has settled; the collector keeps some tens of MB more or less. */
const growthMax = { factor: 1.3, megabytes: 60 }
/** A delivery is planned again after a second: the last events need longer than that. */
const settleMs = 60_000

interface Sample {
  requests: number
  failed: number
  medianMs: number
  p99Ms: number
  memoryMb: number
  databaseMb: number
}

/** Receives the events of messages. */
async function startReceiver() {
  const messageIds = new Set<string>()
  const server = createServer(async (request, response) => {
    const { data } = (await json(request)) as { data: { _id: string } }
    messageIds.add(data._id)
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    messageIds,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** A team at work: it begins conversations, replies, looks and searches, closes and opens. */
class Load {
  readonly #url: string
  readonly #token: string
  readonly #inboxId: string
  /** The replies that were stored, by their conversations. */
  readonly sent = new Map<string, string[]>()
  readonly failures: string[] = []
  #durations: number[] = []
  #count = 0

  constructor(url: string, { token, inboxId }: { token: string; inboxId: string }) {
    this.#url = url
    this.#token = token
    this.#inboxId = inboxId
  }

  async next(): Promise<void> {
    const count = this.#count++
    const conversations = [...this.sent.keys()]
    const id = conversations[(count * 7919) % Math.max(conversations.length, 1)]
    const at = '/api/v1/conversations'
    if (id === undefined || count % 10 === 0) {
      const body = { subject: `Soak ${count}`, inboxId: this.#inboxId }
      const made = await this.#ask('POST', at, body)
      if (made !== undefined) this.sent.set(made._id, [])
    } else if (count % 10 < 5) {
      const message = await this.#ask('POST', `${at}/${id}/messages`, {
        content: `Reply ${count} about a lamp`,
      })
      if (message !== undefined) this.sent.get(id)?.push(message._id)
    } else if (count % 10 === 5) {
      await this.#ask('PUT', `${at}/${id}`, { status: count % 20 === 5 ? 'closed' : 'open' })
    } else if (count % 10 < 8) await this.#ask('GET', `${at}?limit=20&sort=-updatedAt`)
    else if (count % 10 === 8) await this.#ask('GET', `${at}/${id}/messages`)
    else await this.#ask('GET', `${at}?search=soak`)
  }

  // biome-ignore lint/suspicious/noExplicitAny: bodies of replies, as `call` gives them.
  async #ask(method: string, at: string, body?: object): Promise<any> {
    const startMs = performance.now()
    try {
      const given = { method, path: at, token: this.#token, ...(body && { body }) }
      const { status, body: reply } = await call(this.#url, given)
      this.#durations.push(performance.now() - startMs)
      if (status < 300) return reply.data
      this.failures.push(`${method} ${at}: ${status} ${reply?.code}`)
    } catch (error) {
      this.failures.push(`${method} ${at}: ${String(error)}`)
    }
    return undefined
  }

  takeDurations(): number[] {
    const taken = this.#durations.sort((a, b) => a - b)
    this.#durations = []
    return taken
  }
}

function memoryMbOf({ process: { pid } }: Program): number {
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kilobytes) / 1_000)
}

/** Sends requests at their moments, whether earlier ones have ended or not, and takes samples. */
async function drive(load: Load, program: Program, database: string): Promise<Sample[]> {
  const samples: Sample[] = []
  const totalMs = Number(values.minutes) * 60_000
  const everyMs = totalMs / samplesMax
  const startMs = performance.now()
  const running = new Set<Promise<void>>()
  let [sent, failedBefore] = [0, 0]
  const take = async () => {
    const durations = load.takeDurations()
    const at = (share: number) => Math.round(durations[Math.floor(durations.length * share)] ?? 0)
    samples.push({
      requests: durations.length,
      failed: load.failures.length - failedBefore,
      medianMs: at(0.5),
      p99Ms: at(0.99),
      memoryMb: memoryMbOf(program),
      databaseMb: Math.round((await stat(database)).size / 1_000_000),
    })
    failedBefore = load.failures.length
  }
  for (let elapsedMs = 0; elapsedMs < totalMs; elapsedMs = performance.now() - startMs) {
    for (const due = (elapsedMs / 1_000) * Number(values.rate); sent < due; sent++) {
      const request = load.next().finally(() => running.delete(request))
      running.add(request)
    }
    if (elapsedMs >= (samples.length + 1) * everyMs) await take()
    await wait(10)
  }
  await Promise.all(running)
  await take()
  return samples
}

/** Compares what is stored and delivered with what was acknowledged. */
async function lossesOf(load: Load, ask: (at: string) => Promise<string[]>, received: ReadonlySet<string>) {
  const losses: string[] = []
  for (const [id, messageIds] of load.sent) {
    const stored = new Set(await ask(id))
    for (const one of messageIds) if (!stored.has(one)) losses.push(`the message ${one} is not stored`)
  }
  const all = [...load.sent.values()].flat()
  for (const endsAtMs = performance.now() + settleMs; performance.now() < endsAtMs; await wait(100))
    if (all.every((id) => received.has(id))) break
  for (const id of all) if (!received.has(id)) losses.push(`the event of the message ${id} was not delivered`)
  return losses
}

/** Says when the memory of the last quarter is greater than that of the second one, in which it has settled. */
function growthOf(samples: readonly Sample[]): string[] {
  const quarter = Math.floor(samples.length / 4)
  const greatest = (from: number) =>
    Math.max(0, ...samples.slice(from, from + quarter).map(({ memoryMb }) => memoryMb))
  const [before, after] = [greatest(quarter), greatest(samples.length - quarter)]
  const isGrown = after > before * growthMax.factor && after > before + growthMax.megabytes
  return isGrown ? [`the memory grew from ${before} to ${after} MB`] : []
}

async function soak(): Promise<string[]> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'crmkit-soak-'))
  const own = { CRM_WEBHOOK_ALLOW_HTTP: '1', CRM_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' }
  const env = { CRM_DATA_DIR: dataDir, PORT: '0', CRM_LOG_LEVEL: 'error', ...own }
  const program = await startProgram(serverProgram, ['start', '--dev'], env)
  const receiver = await startReceiver()
  try {
    const { url } = program
    const { token: session } = await registerTenant(url)
    const token = await createKey(url, session, ['read:conversations', 'write:conversations'])
    const [{ _id: inboxId }] = (await call(url, { path: '/api/v1/inboxes', token: session })).body.data
    const body = { name: 'Soak', url: receiver.url, events: ['message.sent'] }
    const webhook = await call(url, { method: 'POST', path: '/api/v1/webhooks', token: session, body })
    if (webhook.status !== 201) throw new Error(`No webhook: ${JSON.stringify(webhook.body)}`)
    const load = new Load(url, { token, inboxId })
    const samples = await drive(load, program, path.join(dataDir, 'crm.sqlite'))
    printFigures(
      'soak',
      Object.fromEntries(samples.map((sample, index) => [String(index + 1), { ...sample }])),
      values,
    )
    const storedOf = async (id: string) => {
      const ids: string[] = []
      for (let cursor = ''; ; ) {
        const next = cursor && `&cursor=${encodeURIComponent(cursor)}`
        const at = `/api/v1/conversations/${id}/messages?limit=100${next}`
        const { data, pagination } = (await call(url, { path: at, token })).body
        ids.push(...data.map(({ _id }: { _id: string }) => _id))
        if (pagination.nextCursor === null) return ids
        cursor = pagination.nextCursor
      }
    }
    const losses = await lossesOf(load, storedOf, receiver.messageIds)
    const doctor = await runProgram(serverProgram, ['doctor'], { env })
    const problems = doctor.code === 0 ? [] : [`doctor: ${doctor.stdout}`]
    return [...load.failures, ...losses, ...problems, ...growthOf(samples)]
  } finally {
    await program.kill('SIGTERM')
    receiver.close()
    await rm(dataDir, { recursive: true })
  }
}

const shownMax = 20
if (values.help) process.stdout.write(usage)
else {
  const problems = await soak()
  for (const problem of problems.slice(0, shownMax)) process.stderr.write(`✗ ${problem}\n`)
  process.stdout.write(
    problems.length === 0 ? '✓ nothing was lost, and nothing grew\n' : `${problems.length} problems\n`,
  )
  process.exitCode = problems.length === 0 ? 0 : 1
}
