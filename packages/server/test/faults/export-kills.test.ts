import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openPackage } from '@crmkit/core/package-folder'
import { expect, onTestFinished, test } from 'vitest'
import { password } from '../support/call.ts'
import { newPackageTenant, packageOf } from '../support/package-of.ts'
import { startKillable } from './support/killable-server.ts'

const conversations = 2_500
const people = 200
const files = 60
const kills = 4
/** Of a slice, which has twenty pages of fifty conversations. */
const bytesOfSlice = 300_000

type Tenant = Awaited<ReturnType<typeof newPackageTenant>>

const at = (index: number) => new Date(Date.UTC(2025, index % 12, 1, 0, 0, index)).toISOString()
const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index))

/** Conversations of one message, of which the first ones have a file. */
const historyOf = () => ({
  people: times(people, (index) => ({
    id: `p${index}`,
    name: `Person ${index}`,
    emails: [{ address: `person${index}@example.com` }],
    createdAt: at(index),
  })),
  conversations: times(conversations, (index) => ({
    id: `c${index}`,
    subject: `Case ${index}`,
    status: 'closed',
    personId: `p${index % people}`,
    createdAt: at(index),
  })),
  messages: times(conversations, (index) => ({
    id: `m${index}`,
    conversationId: `c${index}`,
    direction: 'inbound',
    author: { type: 'person', id: `p${index % people}` },
    content: `Message ${index}`,
    contentType: 'text',
    createdAt: at(index),
    ...(index < files && { attachmentIds: [`f${index}`] }),
  })),
})

const filesOfHistory = () =>
  Object.fromEntries(
    times(files, (index) => [
      `f${index}`,
      { filename: `file${index}.txt`, bytes: Buffer.from(`file ${index}`) },
    ]),
  )

async function sizeOf(folder: string): Promise<number> {
  // A file may go between the two looks at it.
  const sizes = (await readdir(folder)).map((name) =>
    stat(path.join(folder, name)).then(
      ({ size }) => size,
      () => 0,
    ),
  )
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

const isWork = (name: string) => name.startsWith('crmkit-work-')

/** Whether the slice that is written has so many bytes. */
async function isWritten(temporary: string, bytes: number): Promise<boolean> {
  const [work] = (await readdir(temporary)).filter(isWork)
  if (work === undefined) return false
  return (await sizeOf(path.join(temporary, work)).catch(() => -1)) >= bytes
}

/** Downloads the parts of an export into a folder. */
async function download(tenant: Tenant, { url, id }: { url: string; id: string }, folder: string) {
  const names: string[] = []
  for (let from = 1; ; ) {
    const { parts } = (await tenant.send('GET', `/api/tenant/exports/${id}?from=${from}`)).body.data
    if (parts.length === 0) return names
    for (const part of parts as { name: string; url: string; size: number }[]) {
      const response = await fetch(url + part.url, { headers: { authorization: `Bearer ${tenant.token}` } })
      const bytes = Buffer.from(await response.arrayBuffer())
      expect([part.name, response.status, bytes.length]).toEqual([part.name, 200, part.size])
      await mkdir(path.dirname(path.join(folder, part.name)), { recursive: true })
      await writeFile(path.join(folder, part.name), bytes)
      names.push(part.name)
    }
    from += parts.length
  }
}

test('an export that is killed in any slice is whole, imports into another tenant, and leaves nothing on the disk of the process', {
  timeout: 600_000,
}, async () => {
  const temporary = await mkdtemp(path.join(tmpdir(), 'crmkit-export-kills-'))
  onTestFinished(() => rm(temporary, { recursive: true, force: true }))
  const server = await startKillable('export-kills', { TMPDIR: temporary })
  const tenant = await newPackageTenant(server.url)
  await tenant.putAll(await packageOf({ records: historyOf(), files: filesOfHistory() }))
  await tenant.send('POST', `${tenant.path}/import`, {})
  expect((await tenant.finished()).run.status).toBe('completed')

  const asked = await tenant.send('POST', '/api/tenant/exports', { currentPassword: password })
  expect(asked.status).toBe(202)
  const id = asked.body.data._id
  const state = async () => (await tenant.send('GET', `/api/tenant/exports/${id}`)).body.data
  const left: string[] = []
  for (let kill = 1; kill <= kills; kill++) {
    const bytes = Math.random() * bytesOfSlice
    // A slice may end before a busy machine has looked at it, and the last one is shorter.
    const isTime = async () =>
      (await isWritten(temporary, bytes)) ||
      (!(await readdir(temporary)).some(isWork) && (await state()).status === 'ready')
    await expect.poll(isTime, { interval: 2, timeout: 60_000 }).toBe(true)
    await server.kill()
    const found = (await readdir(temporary)).filter(isWork)
    left.push(...found)
    await server.restart()
    // It holds messages of people, and is removed before the next process serves anybody.
    expect((await readdir(temporary)).filter((name) => found.includes(name))).toEqual([])
  }
  expect(left.length).toBeGreaterThan(0)
  await expect.poll(async () => (await state()).status, { timeout: 120_000 }).toBe('ready')
  // The last slice removes its folder after its commit.
  await expect.poll(async () => (await readdir(temporary)).filter(isWork)).toEqual([])

  const folder = path.join(temporary, 'package')
  const names = await download(tenant, { url: server.url, id }, folder)
  const opened = await openPackage(folder)
  await opened.verify()
  expect(opened.manifest.complete).toBe(true)
  const other = await newPackageTenant(server.url)
  const own = names.filter((name) => name !== 'manifest.json')
  for (const name of [...own, 'manifest.json']) {
    const bytes = Buffer.from(await readFile(path.join(folder, name)))
    expect([200, 201]).toContain((await other.put(name, bytes)).status)
  }
  expect((await other.send('POST', `${other.path}/import`, {})).status).toBe(202)
  const { run, runPath } = await other.finished()
  expect(run).toMatchObject({ status: 'completed', balance: { closes: true } })
  const sheet = JSON.parse((await other.send('GET', `${runPath}/count-sheet`)).body)
  const differing = sheet.filter((row: { package: number; here: number }) => row.package !== row.here)
  // The people who work here are not made by a package, nor are inboxes.
  expect(differing.map(({ kind }: { kind: string }) => kind)).toEqual(['agents', 'inboxes'])
  const total = async (list: string) => (await other.send('GET', `${list}?limit=1`)).body.pagination.total
  expect(await total('/api/v1/conversations')).toBe(conversations)
  expect(await total('/api/v1/customers')).toBe(people)
})
