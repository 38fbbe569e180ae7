import {
  conflict,
  type createTenantExport,
  Failure,
  type getTenantExport,
  type getTenantExportPart,
  type listTenantExports,
  notFound,
  type TenantExport,
  type TenantExportPart,
} from '@crmkit/core'
import { exportPartId, listExports } from '../../../jobs/end-exports.ts'
import { mailsToTeam } from '../../../mail/out/mails-to-team.ts'
import type { Write } from '../../../ports/change.ts'
import type { TenantReads } from '../../../ports/storage.ts'
import type { AttachmentRecord } from '../../../storage/kinds/attachments.ts'
import type { TenantExportRecord } from '../../../storage/kinds/tenant-exports.ts'
import type { Handler } from '../../handler.ts'
import { assertOwnPassword } from '../../match-password.ts'
import { openRow } from '../../open-attachment.ts'
import type { DownloadHandler } from '../../stream-handler.ts'
import { type SystemContext, type SystemHandler, signedInOf } from '../../system-handler.ts'

const perDayMax = 3
const dayMs = 24 * 3600 * 1000
const partsKeptMs = 7 * dayMs
const rowKeptMs = 30 * dayMs
const partsShownMax = 1_000

export const handleCreateTenantExport: SystemHandler<typeof createTenantExport> = async (ctx, { body }) => {
  const { tenantId, actor } = signedInOf(ctx)
  await assertOwnPassword(ctx, body.currentPassword)
  const store = ctx.forTenant(tenantId)
  // Read before the exports, which then cannot change before the commit.
  const expectTenantVersion = await store.version()
  const exports = await listExports(store)
  const active = exports.find(({ dueAt }) => dueAt !== null)
  if (active) throw conflict('An export of the tenant goes on', { exportId: active._id })
  const inTime = (ms: number) => new Date(Date.parse(ctx.now) + ms).toISOString()
  const ofDay = exports.filter(({ createdAt }) => createdAt > inTime(-dayMs))
  if (ofDay.length >= perDayMax) throw tooMany(ofDay.at(-1)?.createdAt ?? ctx.now, ctx.now)
  const row: TenantExportRecord = {
    _id: ctx.ids.next('exp'),
    tenantId,
    requestedBy: actor._id,
    status: 'queued',
    attachments: body.attachments ?? true,
    partCount: 0,
    error: null,
    place: null,
    counts: {},
    files: [],
    leftOut: [],
    begun: 0,
    tries: 0,
    dueAt: ctx.now,
    finishedAt: null,
    expiresAt: inTime(partsKeptMs),
    keptUntil: inTime(rowKeptMs),
    createdAt: ctx.now,
    updatedAt: ctx.now,
  }
  const mails = await mailsToOwners(ctx, { store, by: actor })
  const writes: Write[] = [{ op: 'insert', kind: 'tenantExports', row }, ...mails]
  return {
    tenantId,
    change: { writes, events: [], expectTenantVersion },
    audit: { action: 'tenant.exported', target: { type: 'export', _id: row._id } },
    reply: { success: true, data: showExport(row, ctx.now) },
  }
}

/** Each owner hears of it at once. There are three exports in a day, so these mails have no budget that a thief could spend before. */
async function mailsToOwners(
  { services: { mail, secrets }, ids, now }: Pick<SystemContext, 'services' | 'ids' | 'now'>,
  { store, by }: { store: TenantReads; by: { _id: string } },
): Promise<Write[]> {
  if (mail.relay === undefined) return []
  const user = await store.users.find(by._id)
  const link = mail.baseUrl === undefined ? null : `${mail.baseUrl}/console/`
  const mailTo = (to: string) =>
    ({ purpose: 'tenantExported', to, by: user?.email ?? 'An owner', at: now, link }) as const
  return mailsToTeam({ store, secrets, ids, now }, { role: 'owner', mailTo })
}

function tooMany(oldest: string, now: string): Failure {
  const seconds = Math.ceil((Date.parse(oldest) + dayMs - Date.parse(now)) / 1000)
  return new Failure('RATE_LIMIT_EXCEEDED', `A tenant is exported ${perDayMax} times in a day`, {
    headers: { 'Retry-After': String(seconds) },
  })
}

function hasParts({ status, expiresAt }: TenantExportRecord, now: string): boolean {
  return status === 'ready' && now < expiresAt
}

function showExport(row: TenantExportRecord, now: string): TenantExport {
  const { _id, attachments, requestedBy, error, createdAt, finishedAt, expiresAt } = row
  const isGone = row.status === 'ready' && !hasParts(row, now)
  const totals = Object.entries(row.counts).map(([kind, { total }]) => [kind, total] as const)
  return {
    _id,
    status: isGone ? 'expired' : row.status,
    attachments,
    requestedBy,
    counts: Object.fromEntries(totals),
    partCount: hasParts(row, now) ? row.partCount : 0,
    error,
    createdAt,
    finishedAt,
    expiresAt,
  }
}

export const handleListTenantExports: Handler<typeof listTenantExports> = async ({ store, now }) => {
  const exports = await listExports(store)
  return { reply: { success: true, data: exports.map((row) => showExport(row, now)) } }
}

export const handleGetTenantExport: Handler<typeof getTenantExport> = async (
  { store, now, mountPath },
  { params: { id }, query: { from } },
) => {
  const row = await store.tenantExports.find(id)
  if (row === undefined) throw notFound()
  const data = showExport(row, now)
  const last = Math.min(data.partCount, from + partsShownMax - 1)
  const numbers = Array.from({ length: Math.max(0, last - from + 1) }, (_, index) => from + index)
  const found = await Promise.all(numbers.map((n) => store.packageFiles.find(exportPartId(row, n))))
  const parts = found.flatMap((part, index): TenantExportPart[] => {
    const url = `${mountPath}/api/tenant/exports/${id}/parts/${from + index}`
    return part ? [{ name: part.path, size: part.size, sha256: part.sha256, url }] : []
  })
  return { reply: { success: true, data: { ...data, parts } } }
}

export const handleGetTenantExportPart: DownloadHandler<typeof getTenantExportPart> = async (
  { store, services, now },
  { params },
) => {
  const { attachmentId } = await getPart(store, params, now)
  return openRow({ store, services }, attachmentId, async () => {
    const { path } = await getPart(store, params, now)
    const row = await getBytes(store, attachmentId)
    return { ...row, filename: path.split('/').at(-1) ?? path, contentType: 'application/octet-stream' }
  })
}

async function getPart(store: TenantReads, { id, n }: { id: string; n: string }, now: string) {
  const row = await store.tenantExports.find(id)
  const part =
    row && hasParts(row, now) ? await store.packageFiles.find(exportPartId(row, Number(n))) : undefined
  if (part === undefined) throw notFound()
  return part
}

/** A file of a message may have been deleted since. */
async function getBytes(store: TenantReads, id: string): Promise<AttachmentRecord> {
  const row = await store.attachments.find(id)
  if (row?.state !== 'stored' || row.erasedAt !== null) throw notFound()
  return row
}
