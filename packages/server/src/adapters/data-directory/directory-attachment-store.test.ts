import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
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
