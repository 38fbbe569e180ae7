import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PackageKind, PackageManifest } from '@crmkit/core/package'
import { bytesPath, manifestName } from '@crmkit/core/package'
import { PackageWriter } from '@crmkit/core/package-folder'
import { expect } from 'vitest'
import { call, registerTenant } from './call.ts'

/** The writer checks each of them. */
type Records = { readonly [K in PackageKind]?: readonly object[] }

interface MadePackage {
  records: Records
  /** The bytes of files, by the id of the attachment that they are of. */
  files?: Readonly<Record<string, { filename: string; bytes: Uint8Array; contentId?: string }>>
  leftOut?: NonNullable<PackageManifest['leftOut']>
  account?: string
}

/** The files of a package by their path, the manifest last. */
export async function packageOf({
  records,
  files = {},
  leftOut = [],
  account = 'acme',
}: MadePackage): Promise<Map<string, Buffer<ArrayBuffer>>> {
  const folder = await mkdtemp(join(tmpdir(), 'package-'))
  try {
    const writer = await PackageWriter.open(folder)
    for (const [kind, rows] of Object.entries(records))
      for (const row of rows) await writer.write(kind as PackageKind, row as never)
    const paths: string[] = []
    for (const [id, { filename, bytes, contentId }] of Object.entries(files)) {
      const stored = await writer.writeBytes(bytes)
      paths.push(bytesPath(stored.sha256))
      await writer.write('attachments', { id, filename, ...stored, ...(contentId && { contentId }) })
    }
    for (const one of leftOut) writer.leaveOut(one)
    const source = { product: 'zendesk', account }
    const manifest = await writer.finish({ source, madeAt: '2026-01-31T09:30:00.000Z', complete: true })
    const names = [...paths, ...manifest.files.map(({ name }) => name), manifestName]
    const read = async (name: string) => [name, await readFile(join(folder, name))] as const
    return new Map(await Promise.all(names.map(read)))
  } finally {
    await rm(folder, { recursive: true })
  }
}

const base = '/api/extcrm/integrations'

/** A tenant with an integration for a package. */
export async function newPackageTenant(url: string, given?: Awaited<ReturnType<typeof registerTenant>>) {
  const owner = given ?? (await registerTenant(url))
  const { token } = owner
  const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    call(url, { method, path, token, body, headers })
  const { body } = await send('POST', base, { provider: 'package' })
  const path = `${base}/${body.data._id}`
  const put = (name: string, bytes: Uint8Array<ArrayBuffer>) =>
    call(url, {
      method: 'PUT',
      path: `${path}/package/${name}`,
      token,
      rawBody: bytes,
      headers: { 'content-type': 'application/octet-stream' },
    })
  return {
    ...owner,
    path,
    send,
    put,
    async putAll(files: ReadonlyMap<string, Buffer<ArrayBuffer>>) {
      for (const [name, bytes] of files) expect([200, 201]).toContain((await put(name, bytes)).status)
    },
    /** Waits for the active run or undo. */
    async finished() {
      // biome-ignore lint/suspicious/noExplicitAny: the body of a response.
      let status: any
      const poll = async () => {
        status = (await send('GET', `${path}/import/status`)).body.data
        return status.syncStatus
      }
      await expect.poll(poll, { timeout: 110_000 }).toMatch(/^(idle|failed)$/)
      const runPath = `${path}/imports/${status.run._id}`
      const issues = (await send('GET', `${runPath}/errors?limit=100`)).body.data
      return { run: status.run, runPath, issues }
    },
    rows: async (list: string) => (await send('GET', list)).body.data,
  }
}
