// Runs on both databases by day: a call and the note with its recording are one commit, and one undo.
import { expect, test } from 'vitest'
import { call } from '../support/call.ts'
import { historyOf } from '../support/history.ts'
import { newPackageTenant, packageOf } from '../support/package-of.ts'
import { useService } from '../support/use-service.ts'

/* The recordings of calls in a package: `POST /api/extcrm/integrations/{id}/import`. */

const server = useService()

const startedAt = '2025-02-05T10:00:00.000Z'
const recording = (name: string) => ({ filename: `${name}.mp3`, bytes: Buffer.from(`recording ${name}`) })
const files = { r1: recording('r1'), r2: recording('r2'), r3: recording('r3') }

async function importCalls(calls: readonly object[]) {
  const tenant = await newPackageTenant(server.url)
  const { people, conversations } = historyOf(tenant.email)
  const records = { people, conversations, calls }
  await tenant.putAll(await packageOf({ records, files }))
  await tenant.send('POST', `${tenant.path}/import`, {})
  const { run, runPath, issues } = await tenant.finished()
  const sheet = JSON.parse((await tenant.send('GET', `${runPath}/count-sheet`)).body)
  const attachments = sheet.find(({ kind }: { kind: string }) => kind === 'attachments')
  return { tenant, run, runPath, issues, attachments }
}

const base = { direction: 'inbound', startedAt, durationSeconds: 60 } as const
const calls = [
  { ...base, id: 'k1', conversationId: 'c1', personId: 'p1', attachmentIds: ['r1'] },
  { ...base, id: 'k2', personId: 'p1', attachmentIds: ['r2'] },
]

test('a recording is the file of a note: in the conversation of the call, else in that of the notes about its person', async () => {
  const { tenant, run, issues, attachments } = await importCalls([
    ...calls,
    { ...base, id: 'k3', attachmentIds: ['r3'] },
  ])
  expect(run.balance.closes).toBe(true)
  expect(attachments).toMatchObject({ package: 3, here: 2 })
  const codes = issues.map(({ module, code }: { module: string; code: string }) => `${module} ${code}`)
  expect(codes).toEqual(expect.arrayContaining(['calls COLUMN_NOT_STORED', 'attachments ATTACHMENT_MISSING']))
  expect(await tenant.rows('/api/telephony/calls')).toHaveLength(3)
  const conversations = await tenant.rows('/api/v1/conversations')
  for (const [subject, text] of [
    ['Printer', 'recording r1'],
    ['Imported notes', 'recording r2'],
  ]) {
    const { _id: id } = conversations.find((one: { subject: string }) => one.subject === subject)
    const [note] = await tenant.rows(`/api/v1/conversations/${id}/messages`)
    expect(note).toMatchObject({
      type: 'note',
      content: 'Recording of the call',
      sender: { type: 'system' },
      createdAt: startedAt,
    })
    const file = await fetch(server.url + note.attachments[0].url, {
      headers: { authorization: `Bearer ${tenant.token}` },
    })
    expect(await file.text()).toBe(text)
  }
})

test('a second import adds no second recording, and an undo removes the call, the note and the file', async () => {
  const { tenant, runPath } = await importCalls(calls)
  const notes = async () => {
    const conversations = await tenant.rows('/api/v1/conversations')
    const lists = conversations.map(({ _id: id }: { _id: string }) =>
      tenant.rows(`/api/v1/conversations/${id}/messages`),
    )
    return (await Promise.all(lists)).flat()
  }
  const [note] = await notes()
  await tenant.send('POST', `${tenant.path}/import`, {})
  const again = await tenant.finished()
  expect(again.run.modules.calls).toMatchObject({ unchanged: 2, created: 0 })
  expect(await notes()).toHaveLength(2)
  await tenant.send('POST', `${again.runPath}/undo`)
  await tenant.finished()
  await tenant.send('POST', `${runPath}/undo`)
  expect((await tenant.finished()).run.undo).toMatchObject({ status: 'done', kept: 0 })
  for (const list of ['v1/conversations', 'v1/customers', 'telephony/calls'])
    expect([list, await tenant.rows(`/api/${list}`)]).toEqual([list, []])
  const gone = await call(server.url, { path: note.attachments[0].url, token: tenant.token })
  expect(gone.status).toBe(404)
})
