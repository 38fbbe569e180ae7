import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openPackage, type PackageFolder, PackageWriter } from '@crmkit/core/package-folder'
import { describe, expect, it, onTestFinished } from 'vitest'
import { askedAtOnce, sendEach, sendsAtOnce, without } from '../src/commands/imports/send-each.ts'
import { newFolder } from './support/reader-process.ts'
import { makeMachine } from './support/run-crm.ts'

/** Counts the items that were taken and are not sent yet. */
function countedItems(count: number) {
  const held = { now: 0, most: 0, taken: 0 }
  async function* items() {
    for (let n = 0; n < count; n += 1) {
      held.taken += 1
      held.now += 1
      held.most = Math.max(held.most, held.now)
      yield `item-${n}`
    }
  }
  return { held, items }
}

describe('the upload of a package of any size', () => {
  it.each([300, 30_000])('holds at most one part of %i paths, and four files', async (count) => {
    const { held, items } = countedItems(count)
    let open = 0
    let openMost = 0
    const sent = new Set<string>()
    const asked: number[] = []
    const ask = async (paths: readonly string[]) => {
      asked.push(paths.length)
      held.now -= 10
      return paths.slice(0, 10)
    }
    await sendEach(without(items(), ask), async (item) => {
      openMost = Math.max(openMost, ++open)
      await new Promise((resolve) => setImmediate(resolve))
      open -= 1
      held.now -= 1
      sent.add(item)
    })
    expect(sent.size).toBe(count * (1 - 10 / askedAtOnce))
    expect(Math.max(...asked)).toBe(askedAtOnce)
    expect(openMost).toBe(sendsAtOnce)
    expect(held.most).toBeLessThanOrEqual(askedAtOnce + sendsAtOnce)
  })

  it('begins no further file once one fails', async () => {
    const { held, items } = countedItems(1_000)
    const failing = sendEach(items(), async (item) => {
      if (item === 'item-7') throw new Error('refused')
    })
    await expect(failing).rejects.toThrow('refused')
    expect(held.taken).toBeLessThanOrEqual(8 + sendsAtOnce)
  })

  it('names a part of the package in each question, and sends again no bytes that are there', async () => {
    const { folder, opened } = await newPackage(120)
    const server = await startStore()
    const machine = makeMachine()
    const load = async () => {
      const env = { CRM_BASE_URL: server.url, CRM_API_KEY: 'crm_test' }
      const { code, stderr } = await machine.run(['imports', 'load', 'int_1', folder], { env })
      expect([code, stderr]).toEqual([0, expect.not.stringContaining('Error')])
    }
    await load()
    const paths: string[] = []
    for await (const path of opened.bytesPaths()) paths.push(path)
    expect(paths).toHaveLength(120)
    expect(server.puts).toEqual(['manifest.json', ...server.puts.slice(1, -1), 'attachments-0001.ndjson'])
    expect(server.puts.slice(1, -1).sort()).toEqual(paths)
    // The last question is of the summary.
    expect(server.asked).toEqual([50, 50, 20, 1])

    server.stored.delete(paths[7] ?? '')
    server.puts.length = 0
    await load()
    expect(server.puts).toEqual(['manifest.json', paths[7], 'attachments-0001.ndjson'])
  })
})

async function newPackage(files: number): Promise<{ folder: string; opened: PackageFolder }> {
  const folder = newFolder()
  const writer = await PackageWriter.open(folder)
  for (let n = 0; n < files; n += 1) {
    const stored = await writer.writeBytes(Buffer.from(`file ${n}`))
    await writer.write('attachments', { id: String(n), filename: `${n}.txt`, ...stored })
  }
  const source = { product: 'zendesk', account: 'acme' }
  await writer.finish({ source, madeAt: '2026-01-01T00:00:00.000Z', complete: true })
  return { folder, opened: await openPackage(folder) }
}

/** A server that keeps the names of the files alone. */
async function startStore() {
  const stored = new Set<string>()
  const puts: string[] = []
  const asked: number[] = []
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://store')
    for await (const _chunk of request);
    const path = decodeURIComponent(pathname.split('/package/')[1] ?? '')
    const shown = (one: string) => ({ path: one, size: 1, sha256: 'a'.repeat(64) })
    if (request.method === 'PUT') {
      puts.push(path)
      stored.add(path)
    }
    const named = searchParams.getAll('paths').flatMap((text) => text.split(','))
    if (request.method === 'GET') asked.push(named.length)
    const files = named.filter((one) => stored.has(one)).map(shown)
    const state = { accountId: 'zendesk:acme', files, missing: [], complete: true }
    const data = request.method === 'PUT' ? shown(path) : state
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ success: true, data }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stored, puts, asked }
}
