import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ImportFile } from '@crmkit/core'
import type { AttachmentKey, AttachmentStore } from '../../ports/attachment-store.ts'
import type { OpenScratch } from '../../ports/scratch.ts'
import { unlessOfDisk } from '../../shared/passing-error.ts'
import { Pauses } from '../../shared/pauses.ts'
import type { WaitingCallers } from '../../shared/waiting-callers.ts'
import { makeWorkFolder } from '../../shared/work-folders.ts'
import { bytesIdOf } from '../../storage/kinds/import-files.ts'
import { type ReadRow, readRows, readSheet } from './file-rows.ts'
import { readUtf8 } from './read-text.ts'
import { Workbook } from './workbook.ts'
import { archiveError, openZip, UnreadableArchive, type ZipFile } from './zip-file.ts'

/** The bytes of an uploaded file. */
export interface StoredBytes {
  attachments: Pick<AttachmentStore, 'read' | 'fileOf'>
  file: { tenantId: string; _id: string; archiveId?: string; size: number }
}

function keyOf(file: StoredBytes['file']): AttachmentKey {
  return { tenantId: file.tenantId, id: bytesIdOf(file) }
}

/** Returns undefined when the bytes were deleted. */
function streamOf({ attachments, file }: StoredBytes): Promise<Readable | undefined> {
  return attachments.read(keyOf(file))
}

/** Works with an archive, which is read by its directory at the end: in its file, else in a temporary one. */
export async function withZip<T>(bytes: StoredBytes, work: (zip: ZipFile) => Promise<T>): Promise<T> {
  const opened = await openStored(bytes)
  try {
    return await work(opened.zip)
  } finally {
    await opened.close()
  }
}

async function openStored(bytes: StoredBytes): Promise<{ zip: ZipFile; close(): Promise<void> }> {
  const { attachments, file } = bytes
  const { size } = file
  const path = attachments.fileOf(keyOf(file))
  if (path !== undefined) {
    const zip = await openZip(path, { size })
    return { zip, close: async () => zip.close() }
  }
  const stream = await streamOf(bytes)
  if (stream === undefined) throw gone()
  const folder = await makeWorkFolder(tmpdir(), 'archive')
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    const copy = join(folder, 'archive')
    await pipeline(stream, createWriteStream(copy))
    const zip = await openZip(copy, { size })
    return {
      zip,
      close: async () => {
        zip.close()
        await remove()
      },
    }
  } catch (error) {
    await remove()
    throw unlessOfDisk(error, 'an archive cannot be copied')
  }
}

interface FileToRead extends StoredBytes {
  file: StoredBytes['file'] &
    Pick<ImportFile, 'format' | 'delimiter' | 'headerRow' | 'encoding' | 'headers'> & {
      sheet?: string | null | undefined
    }
  openScratch: OpenScratch
  /** Runs before the first row of a text that its encoding does not allow. */
  onContradiction?: () => void
  /** Callers who go first while rows are read. */
  callers?: WaitingCallers | undefined
}

/** The time after which the reading of rows, and what is done with each, lets other requests go first. */
const workMs = 2

/** The bytes of an uploaded file are not there. */
const gone = () => new UnreadableArchive('format', 'was removed')

/**
 * Reads the rows of an uploaded file from its beginning. Throws `UnreadableArchive` where the bytes were deleted, or are no such file; any
 * other error may pass.
 */
export async function* rowsOfFile(of: FileToRead): AsyncGenerator<ReadRow> {
  const pauses = new Pauses(workMs, of.callers)
  for await (const row of allRowsOf(of)) {
    yield row
    if (pauses.isDue()) await pauses.take()
  }
}

async function* allRowsOf(of: FileToRead): AsyncGenerator<ReadRow> {
  const { file } = of
  if (file.format === 'xlsx') {
    yield* rowsOfSheet(of)
    return
  }
  const opened = file.sheet ? await openStored(of) : undefined
  const open = async () => {
    const stream = await (opened ? opened.zip.read(file.sheet ?? '') : streamOf(of))
    if (stream === undefined) throw gone()
    return stream
  }
  try {
    yield* readRows(file, readUtf8(open, { encoding: file.encoding, onContradiction: of.onContradiction }))
  } catch (error) {
    throw opened ? archiveError(error) : error
  } finally {
    await opened?.close()
  }
}

async function* rowsOfSheet(of: FileToRead): AsyncGenerator<ReadRow> {
  const { zip, close } = await openStored(of)
  try {
    const book = await Workbook.open(zip)
    const sheet = book.sheets.find(({ name }) => name === of.file.sheet)
    if (sheet === undefined) throw new UnreadableArchive('format', 'has no such sheet')
    yield* readSheet(book.rows(sheet, of.openScratch), of.file)
  } finally {
    await close()
  }
}
