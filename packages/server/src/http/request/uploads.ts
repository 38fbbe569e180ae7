import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import {
  type IdFactory,
  type Operation,
  parsePart,
  safeFilename,
  type UploadedFile,
  validationFailure,
} from '@crmkit/core'
import type { AttachmentStore } from '../../ports/attachment-store.ts'
import type { Write } from '../../ports/change.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { LimitedTenant } from '../../ports/row-quotas.ts'
import type { Storage } from '../../ports/storage.ts'
import { isoTime } from '../../shared/clock.ts'
import { notePassed } from '../../shared/passed-bytes.ts'
import { removeAttachment } from '../../shared/remove-attachment.ts'
import type { AttachmentRecord } from '../../storage/kinds/attachments.ts'
import type { TenantId } from '../../storage/records.ts'
import type { TenantQuotas } from '../quotas/tenant-quotas.ts'
import { type FormFile, readForm } from './read-form.ts'
import { isForm, readRawFile } from './read-raw-file.ts'
import { headBytesMax, sniffContentType } from './sniff-content-type.ts'

interface UploadsParts {
  storage: Pick<Storage, 'forTenant'>
  quotas: Pick<TenantQuotas, 'admit'>
  attachments: AttachmentStore
  clock: Clock
  ids: IdFactory
  log: Log
  timeMaxMs?: number
}

/** The owner of a file whose bytes have a quota of their own. */
type UploadOwner = Pick<AttachmentRecord, 'integrationId' | 'widgetSessionId'>

interface Begun {
  owner: UploadOwner
  tenant: LimitedTenant
  id: string
  /** The most bytes that the file can have. */
  bytesMax: number
}

interface ReceivedForm extends Omit<NonNullable<Operation['upload']>, 'owner'> {
  tenant: LimitedTenant
  owner: UploadOwner
}

export interface Upload {
  file: UploadedFile
  /** The texts before the file. */
  fields: Readonly<Record<string, unknown>>
  /** Removes it again, unless the operation's change has made it seen. */
  release(): Promise<void>
}

/**
 * Much shorter than the time after which an unfinished upload is removed: no upload is removed while it still
 * arrives.
 */
const timeMaxDefaultMs = 10 * 60_000

/** Takes files from requests into the attachment store. The row comes first, so no bytes are ever there without one. */
export function createUploads(parts: UploadsParts) {
  const { storage, quotas, attachments, clock, ids, log, timeMaxMs = timeMaxDefaultMs } = parts

  /** A failure here is not the caller's: a later job removes the leftovers. */
  async function release(tenantId: TenantId, id: string): Promise<void> {
    try {
      const store = storage.forTenant(tenantId)
      const row = await store.attachments.find(id)
      if (row?.state !== 'uploading') return
      await removeAttachment({ store, attachments, now: isoTime(clock.nowMs()) }, row)
    } catch (error) {
      log.warn({ err: error, attachmentId: id }, 'An upload that came to nothing is removed later')
    }
  }

  /** Writes the row with the size that the file may have, so that running uploads count in every process. */
  async function begin({ tenant, id, bytesMax, owner }: Begun): Promise<void> {
    const { tenantId } = tenant
    const now = isoTime(clock.nowMs())
    const row: AttachmentRecord = {
      _id: id,
      tenantId,
      ...owner,
      state: 'uploading',
      filename: '',
      contentType: '',
      size: bytesMax,
      sha256: '',
      messageId: null,
      erasedAt: null,
      createdAt: now,
      updatedAt: now,
    }
    const writes: Write[] = [{ op: 'insert', kind: 'attachments', row }]
    const reservation = await quotas.admit(tenant, writes)
    try {
      await storage.forTenant(tenantId).commit({ writes, events: [] })
    } finally {
      reservation?.end()
    }
  }

  async function store(
    { tenant, bytesMax, owner }: Omit<Begun, 'id'>,
    { filename, declaredType, bytes }: FormFile,
    { mayBeEmpty = false } = {},
  ): Promise<UploadedFile> {
    const id = ids.next('att')
    const { tenantId } = tenant
    await begin({ tenant, id, bytesMax, owner })
    try {
      const meter = new Meter()
      await attachments.write({ tenantId, id }, meter.measure(bytes))
      const { size, sha256, head } = meter.result()
      if (size === 0 && !mayBeEmpty) throw emptyFile()
      const isWhole = size === head.length
      const contentType = await sniffContentType(head, { declared: declaredType, isWhole })
      return { _id: id, filename: safeFilename(filename), contentType, size, sha256 }
    } catch (error) {
      await release(tenantId, id)
      throw error
    }
  }

  return {
    /** Throws the errors of `readForm`, and then leaves nothing behind. */
    async receive(
      req: IncomingMessage,
      { tenant, owner, field, bytesMax, fields, without, isRaw }: ReceivedForm,
    ): Promise<Upload> {
      const { tenantId } = tenant
      if (isRaw && !isForm(req)) {
        const begun = { tenant, owner, bytesMax: Math.min(bytesMax, lengthOf(req)) }
        const file = await readRawFile(req, { bytesMax, timeMaxMs }, (raw) =>
          store(begun, raw, { mayBeEmpty: true }),
        )
        return { file, fields: {}, release: () => release(tenantId, file._id) }
      }
      let stored: Promise<UploadedFile> | undefined
      let texts: Readonly<Record<string, unknown>> = {}
      const take = async (file: FormFile) => {
        if (fields) texts = parseTexts(isOther(without, file) ? without.fields : fields, file.fields)
        stored = store({ tenant, owner, bytesMax: Math.min(bytesMax, lengthOf(req)) }, file)
        return stored
      }
      try {
        const form = { field, bytesMax, timeMaxMs, texts: Object.keys(fields?.shape ?? {}) }
        const file = await readForm(req, form, take)
        return { file, fields: texts, release: () => release(tenantId, file._id) }
      } catch (error) {
        // The file itself was fine; the bytes behind it were not.
        const file = await stored?.catch(() => undefined)
        if (file) await release(tenantId, file._id)
        throw error
      }
    },
  }
}
export type Uploads = ReturnType<typeof createUploads>

function isOther(
  form: NonNullable<Operation['upload']>['without'],
  { fields }: Pick<FormFile, 'fields'>,
): form is NonNullable<typeof form> {
  return form !== undefined && !(form.text in fields)
}

/** Throws VALIDATION_ERROR before the file is read when a text is wrong or not there yet. */
function parseTexts(
  fields: NonNullable<NonNullable<Operation['upload']>['fields']>,
  texts: Readonly<Record<string, string>>,
): Readonly<Record<string, unknown>> {
  const { data, problems = [] } = parsePart(fields, texts, 'body')
  if (data !== undefined && problems.length === 0) return data as Readonly<Record<string, unknown>>
  const missing = new Set(Object.keys(fields.shape).filter((name) => !(name in texts)))
  throw validationFailure(
    problems.map((problem) =>
      missing.has(problem.field)
        ? { ...problem, message: 'must come before the file', rule: 'order' }
        : problem,
    ),
  )
}

/** The length of the request, which is more than that of its file; unknown when it is sent in chunks. */
function lengthOf({ headers }: IncomingMessage): number {
  return Number(headers['content-length'] ?? Number.POSITIVE_INFINITY)
}

function emptyFile() {
  return validationFailure([{ field: 'file', message: 'must not be empty', rule: 'min', in: 'body' }])
}

/** The facts about a file that are collected while it is received. */
class Meter {
  readonly #hash = createHash('sha256')
  readonly #head: Uint8Array[] = []
  #size = 0

  async *measure(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      if (this.#size < headBytesMax) this.#head.push(chunk.subarray(0, headBytesMax - this.#size))
      this.#size += chunk.length
      this.#hash.update(chunk)
      yield chunk
      notePassed(chunk.length)
    }
  }

  result() {
    return { size: this.#size, sha256: this.#hash.digest('hex'), head: Buffer.concat(this.#head) }
  }
}
