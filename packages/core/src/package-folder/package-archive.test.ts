import { createWriteStream, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { readdir, readFile, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { openPromise } from 'yauzl'
import { ZipFile } from 'yazl'
import { unpackArchive, writeArchive } from './package-archive.ts'
import { openPackage } from './package-reader.ts'
import { PackageWriter } from './package-writer.ts'

const root = mkdtempSync(join(tmpdir(), 'crmkit-archive-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let made = 0
const newPath = () => join(root, String(made++))

async function newPackage(): Promise<{ folder: string; manifest: Buffer; bytes: string }> {
  const folder = newPath()
  const writer = await PackageWriter.open(folder)
  await writer.write('people', { id: '1', name: 'Ada' })
  const { sha256 } = await writer.writeBytes(Buffer.from('report'))
  const source = { product: 'crmkit', account: 'a' }
  await writer.finish({ source, madeAt: '2026-01-01T00:00:00.000Z', complete: true })
  return {
    folder,
    manifest: await readFile(join(folder, 'manifest.json')),
    bytes: `bytes/${sha256.slice(0, 2)}/${sha256}`,
  }
}

async function zipOf(entries: readonly (readonly [string, Buffer])[], compress = false): Promise<string> {
  const zip = new ZipFile()
  for (const [name, bytes] of entries) zip.addBuffer(bytes, name, { compress })
  zip.end()
  const file = newPath()
  await pipeline(zip.outputStream, createWriteStream(file))
  return file
}

describe('the archive of a package', () => {
  test('has the manifest first, the mode 0600, and unpacks into an equal folder', async () => {
    const { folder } = await newPackage()
    const file = newPath()
    await writeArchive(folder, file)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const zip = await openPromise(file, { lazyEntries: true })
    const names: string[] = []
    for await (const { fileName } of zip.eachEntry()) names.push(fileName)
    expect(names[0]).toBe('manifest.json')
    const unpacked = newPath()
    await unpackArchive(file, unpacked)
    await (await openPackage(unpacked)).verify()
    const listOf = async (of: string) => (await readdir(of, { recursive: true })).sort()
    expect(await listOf(unpacked)).toEqual(await listOf(folder))
    await expect(writeArchive(folder, file)).rejects.toThrow('EEXIST')
  })

  test('with compressed entries is read as well', async () => {
    const { folder, manifest, bytes } = await newPackage()
    const read = (name: string) => readFile(join(folder, name))
    const entries = [
      ['manifest.json', manifest],
      ['people-0001.ndjson', await read('people-0001.ndjson')],
      [bytes, await read(bytes)],
    ] as const
    const unpacked = newPath()
    await unpackArchive(await zipOf(entries, true), unpacked)
    const opened = await openPackage(unpacked)
    await expect(opened.verify()).resolves.toBe(undefined)
  })

  test('is refused whole with a stray, a name twice, other bytes, a manifest behind other files, and a bomb', async () => {
    const { manifest, bytes } = await newPackage()
    const own = ['manifest.json', manifest] as const
    const refusals: [readonly (readonly [string, Buffer])[], string, boolean?][] = [
      [[], 'no manifest.json'],
      [[[bytes, Buffer.from('report')], own], 'not the first file'],
      [[own, own], 'twice'],
      [[own, ['notes-0001.ndjson', Buffer.from('{}')]], 'does not name'],
      [[own, ['readme.txt', Buffer.from('x')]], 'does not name'],
      [[own, [bytes, Buffer.from('other')]], 'other bytes'],
      [[own, ['people-0001.ndjson', Buffer.alloc(1_000_000)]], 'packed too tightly', true],
    ]
    for (const [entries, message, isCompressed = false] of refusals) {
      const folder = newPath()
      const refused = unpackArchive(await zipOf(entries, isCompressed), folder)
      await expect(refused, message).rejects.toThrow(message)
      await expect(refused).rejects.toThrow(expect.objectContaining({ name: 'PackageProblem' }))
      expect(existsSync(folder)).toBe(false)
    }
  })

  test('that is cut, or is no archive, is refused', async () => {
    const { folder } = await newPackage()
    const file = newPath()
    await writeArchive(folder, file)
    await truncate(file, statSync(file).size - 100)
    for (const path of [file, join(folder, 'manifest.json')])
      await expect(unpackArchive(path, newPath())).rejects.toThrow('is no archive')
  })
})
