// Runs on both databases by day: slices are commits of many kinds.
import { mkdtempSync, rmSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openPackage } from '@crmkit/core/package-folder'
import { afterAll, describe, expect, test } from 'vitest'
import { exportTenants, writeSlice } from '../../src/features/tenant/exports/export-job.ts'
import type { JobParts } from '../../src/jobs/background-job.ts'
import { exportPartId } from '../../src/jobs/end-exports.ts'
import { StorageUnavailable } from '../../src/storage/errors.ts'
import type { TenantId } from '../../src/storage/records.ts'
import { insertOf, sample } from '../contracts/storage/samples.contract.ts'
import { addColleague } from '../support/add-colleague.ts'
import { call, password } from '../support/call.ts'
import { filesOfHistory, historyOf } from '../support/history.ts'
import { newPackageTenant, packageOf } from '../support/package-of.ts'
import { mailTo, textOf } from '../support/system-mail.ts'
import { useService } from '../support/use-service.ts'

const server = useService()
const folder = mkdtempSync(path.join(tmpdir(), 'crmkit-exports-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const exportsPath = '/api/tenant/exports'
type Tenant = Awaited<ReturnType<typeof newPackageTenant>>

/** A tenant with a history. */
async function newTenant(): Promise<Tenant> {
  const tenant = await newPackageTenant(server.url)
  await tenant.putAll(await packageOf({ records: historyOf(tenant.email), files: filesOfHistory }))
  await tenant.send('POST', `${tenant.path}/import`, {})
  await tenant.finished()
  return tenant
}

const ask = (tenant: Tenant, fields: object = {}) =>
  tenant.send('POST', exportsPath, { currentPassword: password, ...fields })

async function ended(tenant: Tenant, id: string) {
  // biome-ignore lint/suspicious/noExplicitAny: the body of a response.
  let data: any
  const status = async () => {
    data = (await tenant.send('GET', `${exportsPath}/${id}`)).body.data
    return data.status
  }
  // As long as an import may take.
  await expect.poll(status, { timeout: 110_000 }).toMatch(/ready|failed|expired/)
  return data
}

/** An export that is due so late that no job of the service takes it. */
async function untakenExport(tenantId: TenantId) {
  const end = '2999-02-01T00:00:00.000Z'
  const row = sample.tenantExports(tenantId, {
    ...{ status: 'queued', dueAt: '2999-01-01T00:00:00.000Z', expiresAt: end, keptUntil: end },
    createdAt: new Date().toISOString(),
    ...{ attachments: true, partCount: 0, place: null, begun: 0, tries: 0, error: null, finishedAt: null },
    ...{ counts: {}, files: [], leftOut: [] },
  })
  const store = server.service.storage.forTenant(tenantId)
  await store.commit({ writes: [insertOf('tenantExports', row)], events: [] })
  return row
}

const log = { info() {}, warn() {}, error() {} }

const bytesOf = async (tenant: Tenant, url: string) => {
  const response = await fetch(`${server.url}${url}`, {
    headers: { authorization: `Bearer ${tenant.token}` },
  })
  return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) }
}

// biome-ignore lint/suspicious/noExplicitAny: the body of a response.
async function openExported(tenant: Tenant, data: any) {
  expect(data.parts).toHaveLength(data.partCount)
  const own = path.join(folder, data._id)
  for (const { name, url, size } of data.parts) {
    const { status, bytes } = await bytesOf(tenant, url)
    expect([name, status, bytes.length]).toEqual([name, 200, size])
    await mkdir(path.dirname(path.join(own, name)), { recursive: true })
    await writeFile(path.join(own, name), bytes)
  }
  return openPackage(own)
}

describe('POST /api/tenant/exports', () => {
  test('sends a mail to each owner who signs in, and to nobody else', async () => {
    const tenant = await newPackageTenant(server.url)
    const { _id: tenantId } = tenant.tenant
    const [second, admin] = [
      await addColleague(server, { tenantId, role: 'owner' }),
      await addColleague(server, { tenantId, role: 'admin' }),
    ]
    const addressOf = async (id: string) => (await tenant.send('GET', `/api/v1/users/${id}`)).body.data.email
    const owners = [tenant.email, await addressOf(second.userId)]
    // Together: the export of a small tenant may have ended by the next request.
    const asked = await Promise.all([ask(tenant), ask(tenant)])
    expect(asked.map(({ status }) => status).sort()).toEqual([202, 409])
    for (const owner of owners) {
      await expect.poll(async () => (await mailTo(server.url, owner)).length).toBe(1)
      const [mail] = await mailTo(server.url, owner)
      // A blank keeps mail programs from making a link of it.
      expect(textOf(mail?.raw ?? '')).toContain(
        `${tenant.email.replaceAll(/([.@])/g, '$1 ')} asked for an export`,
      )
    }
    expect(await mailTo(server.url, await addressOf(admin.userId))).toEqual([])
    expect(await mailTo(server.url, tenant.email)).toHaveLength(1)
  })

  test('has a conversation that was merged as a closed one, with its own messages', async () => {
    const tenant = await newPackageTenant(server.url)
    const inboxId = (await tenant.send('GET', '/api/v1/inboxes')).body.data[0]._id
    const customerId = (await tenant.send('POST', '/api/v1/customers', { firstName: 'Ada' })).body.data._id
    const begin = async (subject: string): Promise<string> => {
      const message = { content: subject, direction: 'inbound' }
      const body = { subject, inboxId, customerId, message }
      return (await tenant.send('POST', '/api/v1/conversations', body)).body.data._id
    }
    const [target, source] = [await begin('target'), await begin('source')]
    const at = `/api/v1/conversations/${target}/merge`
    expect((await tenant.send('POST', at, { sourceId: source })).status).toBe(200)
    const opened = await openExported(tenant, await ended(tenant, (await ask(tenant)).body.data._id))
    await opened.verify()
    const rows: unknown[] = []
    for await (const line of opened.lines('conversations')) {
      if (!('record' in line)) throw new Error(JSON.stringify(line))
      rows.push([line.record.id, line.record.status])
    }
    expect(rows.toSorted()).toEqual(
      [
        [target, 'open'],
        [source, 'closed'],
      ].toSorted(),
    )
  })

  test('makes a whole package of the tenant, whose parts are the files', async () => {
    const tenant = await newTenant()
    const made = await ask(tenant)
    expect([made.status, made.body.data]).toMatchObject([202, { status: 'queued', partCount: 0 }])
    const data = await ended(tenant, made.body.data._id)
    expect(data).toMatchObject({
      status: 'ready',
      attachments: true,
      requestedBy: tenant.user._id,
      counts: { agents: 1, people: 1, conversations: 3, messages: 3, notes: 2, attachments: 3 },
      error: null,
    })
    const opened = await openExported(tenant, data)
    await opened.verify()
    expect(opened.manifest).toMatchObject({
      source: { product: 'crmkit', account: tenant.tenant._id },
      complete: true,
    })
    expect(opened.manifest.leftOut?.map(({ kind }) => kind)).toContain('sessions')
    for await (const line of opened.lines('attachments')) {
      if (!('record' in line) || line.record.sha256 === null) throw new Error('a file is missing')
      const bytes = await readFile(opened.bytesPath(line.record.sha256))
      expect(bytes.length).toBe(line.record.size)
    }
    const log = await tenant.rows('/api/tenant/audit-log?limit=100')
    expect(log.map(({ action }: { action: string }) => action)).toContain('tenant.exported')
    expect(
      (await tenant.send('GET', `${exportsPath}/${data._id}?from=${data.partCount}`)).body.data.parts,
    ).toEqual(data.parts.slice(-1))
    // Nothing of a slice stays on the disk of the process: the last one removes its folder after its commit.
    await expect
      .poll(async () => (await readdir(tmpdir())).filter((name) => name.includes(data._id)))
      .toEqual([])
  })

  test('without files the package names each as missing', async () => {
    const tenant = await newTenant()
    const { parts } = await ended(tenant, (await ask(tenant, { attachments: false })).body.data._id)
    expect(parts.filter(({ name }: { name: string }) => name.startsWith('bytes/'))).toEqual([])
    const at = parts.find(({ name }: { name: string }) => name.startsWith('attachments'))
    expect((await bytesOf(tenant, at.url)).bytes.toString()).toContain('exported without files')
  })

  test('needs the password of the owner who asks, and the session of an owner', async () => {
    const tenant = await newPackageTenant(server.url)
    const missing = await tenant.send('POST', exportsPath, {})
    expect([missing.status, missing.body.details[0]]).toMatchObject([
      422,
      { field: 'currentPassword', rule: 'required' },
    ])
    const wrong = await ask(tenant, { currentPassword: 'another horse' })
    expect([wrong.status, wrong.body.details[0]]).toMatchObject([
      422,
      { field: 'currentPassword', rule: 'mismatch' },
    ])
    const admin = await addColleague(server, { tenantId: tenant.tenant._id as TenantId, role: 'admin' })
    const body = { currentPassword: password }
    const refused = await call(server.url, { method: 'POST', path: exportsPath, token: admin.token, body })
    expect([refused.status, refused.body.code]).toEqual([403, 'PERMISSION_DENIED'])
    expect(await tenant.rows(exportsPath)).toEqual([])
  })

  test('a second at once is refused, and a fourth of a day; a later one takes the place of the one before', async () => {
    const tenant = await newPackageTenant(server.url)
    const first = (await ask(tenant)).body.data
    const second = await ask(tenant)
    if (second.status === 409)
      expect(second.body).toMatchObject({ code: 'CONFLICT', details: { exportId: first._id } })
    await ended(tenant, first._id)
    const made = second.status === 202 ? 2 : 1
    if (second.status === 202) await ended(tenant, second.body.data._id)
    for (let n = made; n < 3; n++) await ended(tenant, (await ask(tenant)).body.data._id)
    const fourth = await ask(tenant)
    expect([fourth.status, fourth.body.code]).toEqual([429, 'RATE_LIMIT_EXCEEDED'])
    expect(Number(fourth.headers.get('retry-after'))).toBeGreaterThan(80_000)
    const all = await tenant.rows(exportsPath)
    expect(all.map(({ status }: { status: string }) => status)).toEqual(['ready', 'expired', 'expired'])
    expect(all[1].error.code).toBe('REPLACED')
  })

  test('the erasure of a person removes the parts with their bytes, and not the files of messages', async () => {
    const tenant = await newTenant()
    const data = await ended(tenant, (await ask(tenant)).body.data._id)
    const store = server.service.storage.forTenant(tenant.tenant._id as TenantId)
    const row = await store.tenantExports.find(data._id)
    const part = row && (await store.packageFiles.find(exportPartId(row, 1)))
    const other = (await tenant.send('POST', '/api/v1/customers', { firstName: 'Gone' })).body.data
    await tenant.send('DELETE', `/api/v1/customers/${other._id}`)
    const shown = async () => (await tenant.rows(exportsPath))[0]
    await expect.poll(async () => (await shown()).status).toBe('expired')
    expect((await shown()).error.code).toBe('PERSON_ERASED')
    for (const { url } of data.parts) expect((await bytesOf(tenant, url)).status).toBe(404)
    const bytes = { tenantId: tenant.tenant._id, id: part?.attachmentId ?? '' }
    await expect.poll(async () => await server.service.attachments.sizeOf(bytes)).toBe(undefined)
    const [conversation] = await tenant.rows('/api/v1/conversations?sort=createdAt')
    const messages = await tenant.rows(`/api/v1/conversations/${conversation._id}/messages?sort=createdAt`)
    const [file] = messages.flatMap(({ attachments }: { attachments: { _id: string }[] }) => attachments)
    expect((await bytesOf(tenant, `/api/v1/attachments/${file._id}`)).status).toBe(200)
  })

  test('a part of another tenant, and of a number that no part has, is not found', async () => {
    const tenant = await newPackageTenant(server.url)
    const data = await ended(tenant, (await ask(tenant)).body.data._id)
    const other = await newPackageTenant(server.url)
    for (const url of [`${exportsPath}/${data._id}/parts/x`, `${exportsPath}/${data._id}/parts/999`])
      expect((await bytesOf(tenant, url)).status).toBe(404)
    expect((await bytesOf(other, data.parts[0].url)).status).toBe(404)
  })

  test('a process that dies in a slice loses that slice alone: the next one writes it again', async () => {
    const tenant = await newTenant()
    const tenantId = tenant.tenant._id as TenantId
    const { storage, attachments, ids } = server.service
    const store = storage.forTenant(tenantId)
    const row = await untakenExport(tenantId)
    // Each slice makes the next one due: by another clock the job of the service would take it.
    const nowMs = Date.parse(row.dueAt ?? '')
    const clock = { nowMs: () => nowMs }
    const parts = { storage, attachments, ids, log, clock, folder, pages: 2 }
    const died = new Error('the process died')
    const dying = {
      ...parts,
      attachments: Object.assign(Object.create(attachments), {
        write: async () => {
          throw died
        },
      }),
    }
    let slices = 0
    for (;;) {
      const found = await store.tenantExports.find(row._id)
      if (found === undefined || found.status === 'ready') break
      const at = { tenantId, row: found }
      if (slices === 2) await expect(writeSlice(dying, at)).rejects.toBe(died)
      const again = await store.tenantExports.find(row._id)
      if (again) await writeSlice(parts, { tenantId, row: again })
      slices += 1
    }
    expect(slices).toBeGreaterThan(3)
    const whole = (await ended(tenant, (await ask(tenant)).body.data._id)).counts
    const { counts } = (await tenant.rows(exportsPath)).find(({ _id }: { _id: string }) => _id === row._id)
    expect(counts).toEqual(whole)
  })

  test.each([
    ['the disk is full', () => Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })],
    ['the store is away', () => new StorageUnavailable('away')],
  ])('waits while %s, however long, and is whole behind it', async (_what, errorOf) => {
    const tenant = await newTenant()
    const tenantId = tenant.tenant._id as TenantId
    const { storage, attachments, ids } = server.service
    const row = await untakenExport(tenantId)
    let isFull = true
    const write: typeof attachments.write = async (key, bytes) => {
      if (isFull) throw errorOf()
      await attachments.write(key, bytes)
    }
    const changing = Object.assign(Object.create(attachments), { write })
    let nowMs = Date.parse(row.dueAt ?? '')
    const clock = { nowMs: () => nowMs }
    const parts = { storage, attachments: changing, ids, log, clock } as unknown as JobParts
    const job = exportTenants.make(parts)
    const found = () => storage.forTenant(tenantId).tenantExports.find(row._id)
    // The scheduler logs it, and polls again.
    const poll = () => Promise.resolve(job.runDue()).catch(() => {})
    await poll()
    for (let times = 1; times <= 12; times++) {
      const before = await found()
      expect(before).toMatchObject({ status: 'running', tries: 0, error: null })
      nowMs += 29_999
      await poll()
      expect(await found()).toEqual(before)
      nowMs += 1
      await poll()
    }
    isFull = false
    nowMs += 30_000
    await poll()
    // It holds the lease of exports until then.
    await job.stop?.()
    expect(await found()).toMatchObject({ status: 'ready' })
    const shown = async (id: string) =>
      (await tenant.rows(exportsPath)).find(({ _id }: { _id: string }) => _id === id)
    const { counts } = await ended(tenant, (await ask(tenant)).body.data._id)
    expect((await shown(row._id)).counts).toEqual(counts)
  })
})
