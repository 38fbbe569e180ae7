// The chat widget's server side: open streams of visitors in one tenant, the time from an acknowledged message of a visitor
// to the agent's stream, and from an agent's reply to the open widget, and the memory of an open widget.
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { call, registerTenant } from '../test/support/call.ts'
import { switchWidgetOn, WidgetVisitor } from '../test/support/widget-visitor.ts'
import { startChild } from './support/child.ts'
import { readMemory } from './support/memory.ts'
import { printFigures } from './support/print-figures.ts'

const { values: options } = parseArgs({
  options: { widgets: { type: 'string', default: '500' }, messages: { type: 'string', default: '200' } },
})
const widgets = Number(options.widgets)
const messages = Number(options.messages)
const serverProgram = 'packages/server/src/main/crm-server.ts'

/** Calls back with the data of each event. */
function follow(url: string, { token, at }: { token: string; at: string }, onData: (data: string) => void) {
  const opened = Promise.withResolvers<void>()
  const req = request(url + at, { headers: { authorization: `Bearer ${token}` }, agent: false }, (res) => {
    opened.resolve()
    res.setEncoding('utf8').on('data', (text: string) => {
      for (const [, data = ''] of text.matchAll(/^data: (.*)$/gm)) onData(data)
    })
    res.on('error', () => {})
  })
  req.on('error', opened.reject)
  req.end()
  return { opened: opened.promise, close: () => req.destroy() }
}

/** The moments at which the text of a message was seen first. */
const seenAt = new Map<string, number>()
function see(data: string): void {
  const content = /"content":"([0-9a-f-]{36})"/.exec(data)?.[1]
  if (content !== undefined && !seenAt.has(content)) seenAt.set(content, performance.now())
}

/** A visitor's own message comes to the widget too: only replies count there. */
function seeReply(data: string): void {
  if (data.includes('"event":"message.sent"')) see(data)
}

function percentile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return Math.round((sorted[Math.ceil(sorted.length * share) - 1] ?? 0) * 10) / 10
}

interface Times {
  afterRequest: number[]
  afterResponse: number[]
}

/** Sends one message after the other. A message that is seen before its response counts as 0 after it. */
async function measure(send: (content: string, index: number) => Promise<unknown>): Promise<Times> {
  const times: Times = { afterRequest: [], afterResponse: [] }
  for (let index = 0; index < messages; index++) {
    const content = randomUUID()
    const sentAt = performance.now()
    await send(content, index)
    const acknowledgedAt = performance.now()
    while (!seenAt.has(content)) await wait(1)
    const at = seenAt.get(content) ?? 0
    times.afterRequest.push(at - sentAt)
    times.afterResponse.push(Math.max(0, at - acknowledgedAt))
  }
  return times
}

function figuresOf({ afterRequest, afterResponse }: Times) {
  return {
    'p50 after the request': percentile(afterRequest, 0.5),
    'p99 after the request': percentile(afterRequest, 0.99),
    'p99 after the response': percentile(afterResponse, 0.99),
  }
}

const dataDir = await mkdtemp(path.join(tmpdir(), 'crmkit-bench-'))
const server = await startChild(serverProgram, ['start'], {
  PORT: '0',
  CRM_DATA_DIR: dataDir,
  CRM_LOG_LEVEL: 'error',
  CRM_RATE_LIMITS: 'off',
})
try {
  const { url } = server
  const owner = await registerTenant(url)
  const { key } = await switchWidgetOn(url, owner.token)
  const visitors: { visitor: WidgetVisitor; conversationId: string }[] = []
  for (let index = 0; index < widgets; index++) {
    const visitor = new WidgetVisitor(url)
    await visitor.begin(key)
    visitors.push({ visitor, conversationId: (await visitor.ask('Hello'))._id })
  }
  const pid = server.process.pid ?? 0
  const before = readMemory(pid)
  const at = '/api/v1/widget/stream'
  const streams = visitors.map(({ visitor }) => follow(url, { token: visitor.token ?? '', at }, seeReply))
  await Promise.all(streams.map(({ opened }) => opened))
  await wait(2_000)
  const perWidget = Math.round((readMemory(pid) - before) / 1024 / widgets)
  const reply = ({ conversationId }: { conversationId: string }, content: string) =>
    call(url, {
      method: 'POST',
      path: `/api/v1/conversations/${conversationId}/messages`,
      token: owner.token,
      body: { content },
    })
  const choose = (index: number) => visitors[(index * 37) % visitors.length] as (typeof visitors)[number]
  const toWidget = await measure((content, index) => reply(choose(index), content))
  for (const { close } of streams.splice(0, 1)) close()
  const agent = follow(url, { token: owner.token, at: '/api/v1/events/stream' }, see)
  await agent.opened
  const toAgent = await measure((content, index) => {
    const { visitor, conversationId } = choose(index)
    const body = { content, clientMessageId: content }
    return visitor.send('POST', `/api/v1/widget/conversations/${conversationId}/messages`, body)
  })
  agent.close()
  for (const { close } of streams) close()
  printFigures(
    'widget',
    {
      'agent to widget, ms': figuresOf(toWidget),
      'visitor to agent, ms': figuresOf(toAgent),
      'memory of an open widget, kB': { each: perWidget },
    },
    { widgets, messages },
  )
} finally {
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
}
