import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPackage, PackageWriter } from './index.ts'

let folder: string
let next = 0
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'package-'))
})
afterAll(() => rm(folder, { recursive: true }))

const header = { source: { product: 'zendesk', account: 'acme' }, madeAt: '2026-01-31T09:30:00.000Z' }
const person = (id: string, createdAt = '2025-12-31T23:30:00-02:00') => ({ id, name: 'Ada Ruiz', createdAt })

function newFolder(): string {
  next += 1
  return join(folder, String(next))
}

async function idsOf(path: string): Promise<string[]> {
  const ids: string[] = []
  for await (const line of (await openPackage(path)).lines('people'))
    if ('record' in line) ids.push(line.record.id)
  return ids
}

describe('a package folder', () => {
  test('holds what was written, with its figures by month in UTC', async () => {
    const path = newFolder()
    const writer = await PackageWriter.open(path)
    await writer.write('people', person('1'))
    await writer.write('agents', { id: 'a', name: 'Bo', email: 'bo@example.com' })
    writer.leaveOut({ kind: 'messages', count: 2, reason: 'older than 500 parts' })
    writer.leaveOut({ kind: 'messages', count: 3, reason: 'older than 500 parts' })
    await writer.finish({ ...header, complete: true })
    const opened = await openPackage(path)
    await opened.verify()
    expect(opened.manifest.counts).toEqual({
      agents: { total: 1 },
      people: { total: 1, byMonth: { '2026-01': 1 } },
    })
    expect(opened.manifest.files.map(({ name, lines }) => [name, lines])).toEqual([
      ['agents-0001.ndjson', 1],
      ['people-0001.ndjson', 1],
    ])
    expect(opened.manifest.leftOut).toEqual([{ kind: 'messages', count: 5, reason: 'older than 500 parts' }])
    const [read] = await collected(opened.lines('people'))
    expect(read).toMatchObject({ line: 1, record: { id: '1', createdAt: '2026-01-01T01:30:00.000Z' } })
    expect((await stat(opened.path('people-0001.ndjson'))).mode & 0o777).toBe(0o600)
  })

  test('goes on behind its checkpoint: what was written after it is written again once', async () => {
    const path = newFolder()
    const first = await PackageWriter.open(path)
    await first.write('people', person('1'))
    const progress = JSON.parse(JSON.stringify(await first.checkpoint()))
    await first.write('people', person('lost'))
    await first.write('notes', { ...note, personId: 'lost' })
    await first.close()
    const second = await PackageWriter.open(path, progress)
    await second.write('people', person('2'))
    const { counts } = await second.finish({ ...header, complete: true })
    expect(await idsOf(path)).toEqual(['1', '2'])
    expect(counts).toEqual({ people: { total: 2, byMonth: { '2026-01': 2 } } })
    await (await openPackage(path)).verify()
  })

  test('stores equal bytes once, under their SHA-256', async () => {
    const path = newFolder()
    const writer = await PackageWriter.open(path)
    const one = await writer.writeBytes(Buffer.from('report'))
    const other = await writer.writeBytes(
      (async function* () {
        yield Buffer.from('rep')
        yield Buffer.from('ort')
      })(),
    )
    expect(other).toEqual(one)
    await writer.finish({ ...header, complete: true })
    const stored = (await openPackage(path)).bytesPath(one.sha256)
    expect(await readFile(stored, 'utf8')).toBe('report')
    expect(await writer.hasBytes(one.sha256)).toBe(true)
    expect((await readdir(path)).filter((name) => name.startsWith('.'))).toEqual([])
  })

  test('is no package without a manifest, and none whose files have changed', async () => {
    const path = newFolder()
    const writer = await PackageWriter.open(path)
    await writer.write('people', person('1'))
    await writer.close()
    await expect(openPackage(path)).rejects.toThrow('has no manifest.json')
    await writer.finish({ ...header, complete: true })
    await writeFile(join(path, 'people-0001.ndjson'), 'x\n')
    await expect((await openPackage(path)).verify()).rejects.toThrow('people-0001.ndjson has other bytes')
  })

  test('refuses a record that its schema does not allow', async () => {
    const writer = await PackageWriter.open(newFolder())
    const wrong = { ...person('1'), nickname: 'ada' }
    await expect(writer.write('people', wrong)).rejects.toThrow('people')
    await expect(writer.write('notes', note)).rejects.toThrow('must name a conversation or a person')
    await writer.close()
  })
})

const note = {
  id: 'n',
  author: { type: 'agent', name: 'Bo' },
  content: 'called back',
  contentType: 'text',
  createdAt: '2026-01-01T00:00:00Z',
} as const

async function collected<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const row of rows) all.push(row)
  return all
}
