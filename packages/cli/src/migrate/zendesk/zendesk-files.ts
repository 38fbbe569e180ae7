import { withOwnPictures } from '../own-pictures.ts'
import type { Reading } from '../reading.ts'
import { idOf, type Row, textOf } from '../values.ts'

const attachmentsMax = 100

/** Stores files; returns their ids. */
export async function attachFiles(reading: Reading, files: readonly Row[]): Promise<string[]> {
  const ids: string[] = []
  for (const file of files.slice(0, attachmentsMax)) {
    const id = await attach(reading, file)
    if (id !== undefined) ids.push(id)
  }
  const further = Math.max(0, files.length - attachmentsMax)
  reading.leaveOut('attachments', 'A comment has at most 100 files', further)
  return ids
}

/** Stores a file. Thumbnails are made of it and stay behind. */
async function attach(reading: Reading, file: Row): Promise<string | undefined> {
  const id = idOf(file['id'])
  if (id === undefined) return undefined
  const size = file['size']
  return reading.attach({
    id,
    filename: textOf(file['file_name']) ?? id,
    contentType: textOf(file['content_type']),
    address: textOf(file['content_url'], 10_000),
    ...(typeof size === 'number' && Number.isSafeInteger(size) && size >= 0 && { size }),
    isInline: file['inline'] === true,
    ...(file['deleted'] === true && { missing: 'it was deleted at the source' }),
  })
}

/** Stores the pictures of a comment that are on the hosts of Zendesk. */
export function withPictures(
  reading: Reading,
  { html, files, attachmentIds, comment }: Pictured,
): Promise<string> {
  const stored = files.flatMap((file) => {
    const [id, address] = [idOf(file['id']), textOf(file['content_url'], 10_000)]
    return id !== undefined && address !== undefined && attachmentIds.includes(id) ? [{ id, address }] : []
  })
  const isOwn = (host: string) => /\.(zendesk|zdusercontent)\.com$/.test(host)
  return withOwnPictures(reading, { html, stored, attachmentIds, isOwn, id: idOf(comment['id']) ?? '' })
}

interface Pictured {
  readonly html: string
  readonly files: readonly Row[]
  readonly attachmentIds: string[]
  readonly comment: Row
}
