// `npm run bench live`: one tenant, 500 streams with live events, 20 changes a second: the time from the change (its event's
// timestamp, which the handler sets before the commit) to every stream, from the request, and to its response; and the
// processor time of the server for each change. One change in ten closes or assigns a conversation, so the counts move. Then commits without any stream, and races
// of two agents who reply at the same moment. `--adapter mongodb` starts the mongod and the redis-server that
// MONGOMS_SYSTEM_BINARY and CRM_TEST_REDIS_BINARY name.
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { endedSessions, isUncounted } from '../src/live/uncounted-changes.ts'
import { composeService } from '../src/main/compose/service.ts'
import { loadConfig } from '../src/main/config/config.ts'
import { listen } from '../src/main/listen.ts'
import type { Committed } from '../src/ports/storage.ts'
import { addColleague } from '../test/support/add-colleague.ts'
import { call, registerTenant } from '../test/support/call.ts'
import { startMongoSet } from '../test/support/mongo-set.ts'
import { startRedis } from '../test/support/redis-server.ts'
import { startChild } from './support/child.ts'
import { openCommandCounter } from './support/command-counter.ts'
import { cpuTimeMs } from './support/cpu-time.ts'
import { printFigures } from './support/print-figures.ts'

const { values: options } = parseArgs({
  options: {
    adapter: { type: 'string', default: 'sqlite' },
    streams: { type: 'string', default: '500' },
    seconds: { type: 'string', default: '20' },
    commits: { type: 'string', default: '2000' },
    races: { type: 'string', default: '1000' },
  },
})
const [streams, seconds, commits, races] = [
  options.streams,
  options.seconds,
  options.commits,
  options.races,
].map(Number) as [number, number, number, number]
const changesPerSecond = 20
const streamsPerSession = 5
const conversations = 200
const path0 = '/api/v1/conversations'

interface World {
  variables: Record<string, string>
  stop(): Promise<void>
}

async function openWorld(): Promise<World> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'crmkit-bench-'))
  const remove = () => rm(dataDir, { recursive: true, force: true })
  const variables = {
    PORT: '0',
    CRM_DATA_DIR: dataDir,
    CRM_LOG_LEVEL: 'error',
    CRM_RATE_LIMITS: 'off',
    CRM_JWT_SECRET: 'the bench signs the tokens of sessions with this',
    CRM_SECRETS_KEY: 'the bench seals the secrets of webhooks with this',
  }
  if (options.adapter !== 'mongodb') return { variables, stop: remove }
  const [set, redis] = [await startMongoSet({ members: 1 }), await startRedis()]
  const counter = await openCommandCounter(set.url)
  countCommands = counter.count
  return {
    variables: { ...variables, CRM_DATABASE_URL: set.url, CRM_REDIS_URL: redis.url },
    async stop() {
      await counter.close()
      await redis.stop()
      await set.stop()
      await remove()
    },
  }
}

/** Makes a tenant with sessions enough for the streams, and conversations. */
async function seed({ variables }: World) {
  const config = loadConfig(variables, { dev: true })
  const service = await composeService(config)
  const listening = await listen(service, config)
  await service.start()
  const committed: Committed[] = []
  service.storage.onCommitted((commit) => void committed.push(commit))
  const { url } = listening
  const owner = await registerTenant(url)
  const tokens: string[] = []
  for (let session = 0; session < Math.max(2, Math.ceil(streams / streamsPerSession)); session++)
    tokens.push((await addColleague({ service }, { tenantId: owner.tenant._id, role: 'agent' })).token)
  const inboxes = await call(url, { path: '/api/v1/inboxes', token: owner.token })
  const ids: string[] = []
  for (let index = 0; index < conversations; index++) {
    const body = { subject: `Question ${index}`, inboxId: inboxes.body.data[0]._id }
    ids.push((await call(url, { method: 'POST', path: path0, token: owner.token, body })).body.data._id)
  }
  await listening.close()
  await service.stop()
  return { token: owner.token as string, tokens, ids, committed }
}
type Seeded = Awaited<ReturnType<typeof seed>>

function percentile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return Math.round((sorted[Math.ceil(sorted.length * share) - 1] ?? 0) * 10) / 10
}

/** Milliseconds since 1970: the server is on the same machine. */
const now = () => performance.timeOrigin + performance.now()

/** When each message was sent, by its content, and when each stream has seen it. */
const sentAt = new Map<string, number>()
const seen: { content: string; at: number; timestamp: number }[] = []
let countFrames = 0
/** How often MongoDB was asked since its start; without MongoDB never. */
let countCommands = async () => 0

function follow(url: string, token: string) {
  const [opened, begun] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const headers = { authorization: `Bearer ${token}` }
  const req = request(`${url}/api/v1/events/stream?live=true`, { headers, agent: false }, (res) => {
    if (res.statusCode !== 200) opened.reject(new Error(`status ${res.statusCode}`))
    let rest = ''
    res.setEncoding('utf8').on('data', (text: string) => {
      opened.resolve()
      const at = now()
      const blocks = (rest + text).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        if (block.startsWith('event: counts.changed')) {
          countFrames++
          begun.resolve()
        }
        const content = /"content":"([0-9a-f-]{36})"/.exec(block)?.[1]
        const timestamp = Date.parse(/"timestamp":"([^"]+)"/.exec(block)?.[1] ?? '')
        if (content !== undefined) seen.push({ content, at, timestamp })
      }
    })
    res.on('error', () => {})
  })
  req.on('error', opened.reject)
  req.end()
  return { opened: opened.promise, begun: begun.promise, close: () => req.destroy() }
}

function say(
  url: string,
  { token, id, content }: { token: string; id: string; content: string },
  headers = {},
) {
  const body = { content, direction: Object.keys(headers).length > 0 ? 'outbound' : 'inbound' }
  return call(url, { method: 'POST', path: `${path0}/${id}/messages`, token, headers, body })
}

/** Closes, reopens or assigns a conversation: each of these moves a count of a view. */
function move(url: string, { token, id, turn }: { token: string; id: string; turn: number }) {
  const status = Math.floor(turn / conversations) % 2 === 0 ? 'pending' : 'open'
  return call(url, { method: 'PUT', path: `${path0}/${id}`, token, body: { status } })
}

async function measureStreams(url: string, pid: number, { token, tokens, ids }: Seeded) {
  const [openedAt, cpuOfStart, commandsOfStart] = [now(), cpuTimeMs([pid]), await countCommands()]
  const opened = Array.from({ length: streams }, (_, index) =>
    follow(url, tokens[Math.floor(index / streamsPerSession)] ?? token),
  )
  await Promise.all(opened.map((stream) => stream.opened))
  await Promise.all(opened.map((stream) => stream.begun))
  const begin = {
    'all streams have their counts after, ms': Math.round(now() - openedAt),
    'processor of the server for their start, ms': cpuTimeMs([pid]) - cpuOfStart,
    'commands to MongoDB for their start': (await countCommands()) - commandsOfStart,
  }
  await wait(2_000)
  countFrames = 0
  const [cpuBefore, changes] = [cpuTimeMs([pid]), changesPerSecond * seconds]
  const commandsBefore = await countCommands()
  const responses: number[] = []
  const sent: Promise<unknown>[] = []
  let messages = 0
  for (let change = 0; change < changes; change++) {
    const id = ids[change % ids.length] ?? ''
    if (change % 10 === 9) sent.push(move(url, { token, id, turn: change }))
    else {
      const content = randomUUID()
      const startedAt = now()
      sentAt.set(content, startedAt)
      messages++
      sent.push(say(url, { token, id, content }).then(() => responses.push(now() - startedAt)))
    }
    await wait(1_000 / changesPerSecond)
  }
  await Promise.all(sent)
  const giveUpAt = performance.now() + 30_000
  while (seen.length < messages * streams && performance.now() < giveUpAt) await wait(50)
  const cpuMs = cpuTimeMs([pid]) - cpuBefore
  for (const { close } of opened) close()
  const fromChange = seen.map(({ at, timestamp }) => at - timestamp)
  const fromRequest = seen.map(({ content, at }) => at - (sentAt.get(content) ?? Number.NaN))
  return {
    ...begin,
    'commands to MongoDB for a change':
      Math.round((((await countCommands()) - commandsBefore) / changes) * 10) / 10,
    'change to stream, p50, ms': percentile(fromChange, 0.5),
    'p99, ms': percentile(fromChange, 0.99),
    'request to stream, p50, ms': percentile(fromRequest, 0.5),
    'request to stream, p99, ms': percentile(fromRequest, 0.99),
    'request to response, p50, ms': percentile(responses, 0.5),
    'missing events': messages * streams - seen.length,
    'frames of counts': countFrames,
    'processor of the server for a change, ms': Math.round((cpuMs / changes) * 10) / 10,
  }
}

async function measureCommits(url: string, pid: number, { token, ids, committed }: Seeded) {
  const [startedAt, cpuBefore] = [performance.now(), cpuTimeMs([pid])]
  let next = 0
  const work = async () => {
    for (let index = next++; index < commits; index = next++)
      await say(url, { token, id: ids[index % ids.length] ?? '', content: 'Hello' })
  }
  await Promise.all(Array.from({ length: 16 }, work))
  const perSecond = Math.round((commits / (performance.now() - startedAt)) * 1_000)
  const cpuUs = Math.round(((cpuTimeMs([pid]) - cpuBefore) * 1_000) / commits)
  const liveUs = liveCostUs(committed)
  return {
    'commits/s': perSecond,
    'processor for a commit, µs': cpuUs,
    'of it for live events, µs': Math.round(liveUs * 100) / 100,
    'of it for live events, %': Math.round((liveUs / cpuUs) * 10_000) / 100,
  }
}

/** The processor time that a commit takes for live events that nobody hears: the look at its writes. */
function liveCostUs(committed: readonly Committed[]): number {
  const rounds = Math.ceil(200_000 / committed.length)
  const look = () => committed.filter((commit) => isUncounted(commit) || endedSessions(commit).length > 0)
  for (let round = 0; round < rounds; round++) look()
  const before = process.cpuUsage()
  for (let round = 0; round < rounds; round++) look()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / rounds / committed.length
}

/** Two agents reply at the same moment: exactly one of them is refused. */
async function measureRaces(url: string, { token, tokens: [first = '', second = ''], ids }: Seeded) {
  const counts = { 'sent once': 0, 'sent twice': 0, 'sent by nobody': 0 }
  for (let race = 0; race < races; race++) {
    const id = ids[race % ids.length] ?? ''
    const { seq } = (await call(url, { path: `${path0}/${id}`, token })).body.data
    const headers = { 'if-conversation-seq': `${seq}` }
    const replies = await Promise.all(
      [first, second].map((by) => say(url, { token: by, id, content: 'On its way' }, headers)),
    )
    const statuses = replies.map(({ status }) => status).sort()
    if (statuses.join() === '201,409') counts['sent once']++
    else if (statuses.join() === '201,201') counts['sent twice']++
    else counts['sent by nobody']++
  }
  return counts
}

const world = await openWorld()
try {
  const seeded = await seed(world)
  const server = await startChild('packages/server/src/main/crm-server.ts', ['start'], world.variables)
  try {
    const { url } = server
    const withoutStreams = await measureCommits(url, server.process.pid ?? 0, seeded)
    const live = await measureStreams(url, server.process.pid ?? 0, seeded)
    const raced = await measureRaces(url, seeded)
    printFigures(
      'live',
      { 'live streams': live, 'no stream open': withoutStreams, races: raced },
      { adapter: options.adapter, streams, seconds, changesPerSecond, conversations, commits, races },
    )
  } finally {
    await server.stop()
  }
} finally {
  await world.stop()
}
