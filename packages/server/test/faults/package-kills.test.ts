import { expect, test } from 'vitest'
import { call } from '../support/call.ts'
import { newPackageTenant, packageOf } from '../support/package-of.ts'
import { startKillable } from './support/killable-server.ts'

const conversations = 2_000
const messages = 3 * conversations
const people = 500
const files = 200
const kills = 5

const at = (index: number) => new Date(Date.UTC(2025, index % 12, 1, 0, 0, index)).toISOString()

/** A support history of many conversations, each with three messages; the first ones have a file. */
function historyOf(agentEmail: string) {
  const ofAll = <T>(count: number, make: (index: number) => T) =>
    Array.from({ length: count }, (_, index) => make(index))
  return {
    agents: [{ id: 'a', name: 'Olive Owner', email: agentEmail }],
    people: ofAll(people, (index) => ({
      id: `p${index}`,
      name: `Person ${index}`,
      emails: [{ address: `person${index}@example.com` }],
      createdAt: at(index),
    })),
    conversations: ofAll(conversations, (index) => ({
      id: `c${index}`,
      subject: `Case ${index}`,
      status: 'closed',
      personId: `p${index % people}`,
      assigneeId: 'a',
      createdAt: at(index),
    })),
    messages: ofAll(messages, (index) => {
      const number = Math.floor(index / 3)
      const isReply = index % 3 === 1
      return {
        id: `m${index}`,
        conversationId: `c${number}`,
        direction: isReply ? 'outbound' : 'inbound',
        author: isReply ? { type: 'agent', id: 'a' } : { type: 'person', id: `p${number % people}` },
        content: `Message ${index}`,
        contentType: 'text',
        createdAt: new Date(Date.parse(at(number)) + 60_000 * (index % 3)).toISOString(),
        ...(index % 3 === 0 && number < files && { attachmentIds: [`f${number}`] }),
      }
    }),
  }
}

test('a package that is killed at any page is imported whole, each record once; an undo that is killed leaves nothing', {
  timeout: 600_000,
}, async () => {
  const server = await startKillable('package-kills')
  const tenant = await newPackageTenant(server.url)
  const bytes = Array.from({ length: files }, (_, index) => [
    `f${index}`,
    { filename: `file${index}.txt`, bytes: Buffer.from(`file ${index}`) },
  ])
  await tenant.putAll(await packageOf({ records: historyOf(tenant.email), files: Object.fromEntries(bytes) }))
  const started = await tenant.send('POST', `${tenant.path}/import`, {})
  expect(started.status).toBe(202)
  const status = async () => (await tenant.send('GET', `${tenant.path}/import/status`)).body.data
  const readOf = async () => {
    const { run } = await status()
    const counts = Object.values(run.modules) as { read: number }[]
    return counts.reduce((sum, { read }) => sum + read, 0)
  }
  const total = people + conversations + messages
  for (let kill = 1; kill <= kills; kill++) {
    const until = ((kill - Math.random()) * total) / (kills + 1)
    await expect.poll(readOf, { interval: 20 }).toBeGreaterThanOrEqual(until)
    await server.killAndRestart()
  }
  const { run, runPath } = await tenant.finished()
  expect(run).toMatchObject({ _id: started.body.data.runId, status: 'completed', balance: { closes: true } })
  const sheet = JSON.parse((await tenant.send('GET', `${runPath}/count-sheet`)).body)
  const differing = sheet.filter((row: { package: number; here: number }) => row.package !== row.here)
  expect(differing).toEqual([])
  const sumOf = (kind: string) =>
    sheet.reduce(
      (sum: number, row: { kind: string; here: number }) => sum + (row.kind === kind ? row.here : 0),
      0,
    )
  expect([sumOf('conversations'), sumOf('messages'), sumOf('attachments')]).toEqual([
    conversations,
    messages,
    files,
  ])

  const list = await tenant.send('GET', '/api/v1/conversations?limit=1')
  expect(list.body.pagination.total).toBe(conversations)
  // One of those with a file.
  const customers = (await tenant.send('GET', '/api/v1/customers?email=person17@example.com')).body.data
  const own = await tenant.rows(
    `/api/v1/conversations?customerId=${customers[0]._id}&sort=createdAt&limit=50`,
  )
  const { _id: id } = own.find(({ subject }: { subject: string }) => subject === 'Case 17')
  const found = (await tenant.send('GET', `/api/v1/conversations/${id}`)).body.data
  expect(found).toMatchObject({ messageCount: 3, seq: 3, assignedTo: { _id: tenant.user._id } })
  const rows = await tenant.rows(`/api/v1/conversations/${found._id}/messages?sort=createdAt`)
  expect(rows.map(({ content }: { content: string }) => content)).toEqual(
    [51, 52, 53].map((n) => `Message ${n}`),
  )
  expect(rows[1].sender).toEqual({ type: 'user', _id: tenant.user._id, name: 'Olive Owner' })
  const file = await fetch(server.url + rows[0].attachments[0].url, {
    headers: { authorization: `Bearer ${tenant.token}` },
  })
  expect(await file.text()).toBe('file 17')

  await tenant.send('POST', `${runPath}/undo`)
  const removed = async () => (await status()).run.undo.removed
  for (const part of [0.2, 0.6]) {
    await expect.poll(removed, { interval: 20 }).toBeGreaterThanOrEqual(total * part)
    await server.killAndRestart()
  }
  const undone = await tenant.finished()
  expect(undone.run.undo).toMatchObject({ status: 'done', kept: 0, removed: total })
  for (const path of ['/api/v1/conversations', '/api/v1/customers'])
    expect(await tenant.rows(path)).toEqual([])
  const gone = await call(server.url, { path: rows[0].attachments[0].url, token: tenant.token })
  expect(gone.status).toBe(404)
})
