import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { AttachmentStore } from '../../ports/attachment-store.ts'
import { StorageUnavailable } from '../../storage/errors.ts'
import { openDirectoryAttachmentStore } from './directory-attachment-store.ts'

const key = { tenantId: 'ten_01J8ZZZZZZZZZZZZZZZZZZZZZZ', id: 'att_01J8ZZZZZZZZZZZZZZZZZZZZAB' }

let folder: string
let store: AttachmentStore
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'crmkit-directory-'))
  store = openDirectoryAttachmentStore(path.join(folder, 'attachments'))
})
afterEach(() => rm(folder, { recursive: true }))

async function* of(...chunks: string[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield Buffer.from(chunk)
}

async function all<T>(listed: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const each of listed) found.push(each)
  return found
}

async function files(): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  return found
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
}

test('stores a file at a documented path, readable by the server’s own user only', async () => {
  await store.write(key, of('bytes'))
  const file = path.join('attachments', key.tenantId, 'AB', key.id)
  expect(await files()).toEqual([file])
  for (const [name, mode] of [
    [file, 0o600],
    [path.dirname(file), 0o700],
    ['attachments', 0o700],
  ] as const) {
    expect((await stat(path.join(folder, name))).mode & 0o777).toBe(mode)
  }
})

test.each(['../../../out', '..', '/tmp/out', 'a\u0000b', `${'..%2f'.repeat(20)}`, 'x'.repeat(4_000)])(
  'writes nothing outside of its directory for the key %j',
  async (text) => {
    await store.write({ tenantId: text, id: text }, of('bytes'))
    const [only, ...more] = await files()
    expect(more).toEqual([])
    expect(only).toMatch(/^attachments\/x[0-9a-f]{64}\/[0-9a-f]{2}\/x[0-9a-f]{64}$/)
  },
)

test('a stream that nobody reads ends no process when it is collected', async () => {
  await store.write(key, of('bytes'))
  const module = JSON.stringify(new URL('./directory-attachment-store.ts', import.meta.url).href)
  const root = JSON.stringify(path.join(folder, 'attachments'))
  const program = `import { openDirectoryAttachmentStore } from ${module}
    const store = openDirectoryAttachmentStore(${root})
    for (let opened = 0; opened < 20; opened++) await store.read(${JSON.stringify(key)})
    for (let round = 0; round < 5; round++) {
      global.gc()
      await new Promise(setImmediate)
    }
    process.exit(0)`
  const flags = ['--conditions=@crmkit/source', '--expose-gc', '--input-type=module', '--eval', program]
  await expect(promisify(execFile)(process.execPath, flags)).resolves.toMatchObject({ stdout: '' })
})

test('leaves no file when the bytes are removed while they are written', async () => {
  const { promise: isWritten, resolve: begin } = Promise.withResolvers<void>()
  const { promise: goOn, resolve: finish } = Promise.withResolvers<void>()
  async function* slow() {
    yield Buffer.from('half')
    begin()
    await goOn
    yield Buffer.from('whole')
  }
  const writing = store.write(key, slow())
  await isWritten
  expect((await files()).map((file) => path.basename(file))).toEqual([`${key.id}.part`])
  await store.remove(key)
  finish()
  await expect(writing).rejects.toThrow(StorageUnavailable)
  expect(await files()).toEqual([])
})

test('leaves no partial file when the bytes end early', async () => {
  async function* broken() {
    yield Buffer.from('half')
    throw new RangeError('the sender went away')
  }
  await expect(store.write(key, broken())).rejects.toThrow(RangeError)
  expect(await files()).toEqual([])
})

describe('the spool', () => {
  const spooled = path.join('attachments', 'spool', '1', `${key.tenantId}.${key.id}`)
  const kept = path.join('attachments', key.tenantId, 'AB', key.id)
  const take = (write: (file: string) => Promise<void>, size = 5) =>
    store.spool?.take(key, { place: 1, size, write })

  test('takes a file of another process as the bytes of a key, and leaves none of its own', async () => {
    await take(async (file) => {
      expect(file).toBe(path.join(folder, spooled))
      expect(path.dirname(file)).toBe(store.spool?.folderOf(1))
      await writeFile(file, 'bytes', { flag: 'wx', mode: 0o600 })
      expect(await store.read(key)).toBeUndefined()
    })
    expect(await files()).toEqual([kept])
    expect(await readFile(path.join(folder, kept), 'utf8')).toBe('bytes')
  })

  test.each([
    ['more than was announced', (file: string) => writeFile(file, 'too many bytes')],
    ['less than was announced', (file: string) => writeFile(file, 'few')],
    ['a folder', async (file: string) => void (await mkdir(path.join(file, 'more'), { recursive: true }))],
    ['a link', (file: string) => symlink('/etc/hostname', file)],
    ['nothing', async () => {}],
  ])('refuses a process that writes %s, and keeps nothing of it', async (_, write) => {
    await expect(take(write)).rejects.toThrow()
    expect(await readdir(path.join(folder, 'attachments', 'spool', '1'))).toEqual([])
    expect(await files()).toEqual([])
  })

  test('keeps nothing when the writing fails, and says that the disk is full where it is', async () => {
    const full = Object.assign(new Error('full'), { code: 'ENOSPC' })
    const fail = async (file: string) => {
      await writeFile(file, 'by')
      throw full
    }
    await expect(take(fail)).rejects.toThrow(StorageUnavailable)
    expect(await files()).toEqual([])
  })

  test('the file that a killed process has left is deleted with the key, and is no stray meanwhile', async () => {
    await mkdir(path.dirname(path.join(folder, spooled)), { recursive: true })
    await writeFile(path.join(folder, spooled), 'half')
    await writeFile(path.join(folder, 'attachments', 'spool', '1', 'other'), 'x')
    expect(await all(store.listStrays())).toEqual([path.join('spool', '1', 'other')])
    expect(await all(store.list())).toEqual([])
    await store.remove({ ...key, tenantId: 'ten_01J8ZZZZZZZZZZZZZZZZZZZZZY' })
    expect(await files()).toContain(spooled)
    await store.remove(key)
    expect(await files()).not.toContain(spooled)
  })

  test('stores nothing of a key that was removed while its file was written', async () => {
    const taken = take(async (file) => {
      await writeFile(file, 'bytes')
      await store.remove(key)
    })
    await expect(taken).rejects.toThrow(StorageUnavailable)
    expect(await files()).toEqual([])
  })

  test('takes a file where the folder of the tenant is on another file system', async (context) => {
    const other = await mkdtemp('/dev/shm/crmkit-spool-').catch(() => undefined)
    if (other === undefined) return context.skip('there is no second file system')
    onTestFinished(() => rm(other, { recursive: true }))
    if ((await stat(other)).dev === (await stat(folder)).dev) return context.skip('one file system')
    await mkdir(path.join(folder, 'attachments'))
    await symlink(other, path.join(folder, 'attachments', key.tenantId))
    await take((file) => writeFile(file, 'bytes'))
    expect(await readdir(other, { recursive: true })).toEqual(['AB', path.join('AB', key.id)])
    expect(await readdir(path.join(folder, 'attachments', 'spool', '1'))).toEqual([])
    expect(await store.sizeOf(key)).toBe(5)
  })
})
