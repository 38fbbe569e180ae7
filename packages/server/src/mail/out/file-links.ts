import type { Attachment } from '@crmkit/core'
import type { MailTags } from '../addresses/mail-tags.ts'

/** Many mail servers refuse a mail of more than 25 MB, and base64 makes files a third longer. */
const attachedBytesMax = 20 * 1024 * 1024
const linkDays = 30
const dayMs = 24 * 3600 * 1000

export const fileLinkPrefix = '/files/'
const pattern = /^(ten_[0-9A-Z]{26})\/(att_[0-9A-Z]{26})\/([1-9]\d{0,11})\.([a-z2-7]{16})$/

/** A file of a mail that its reader downloads. */
export interface FileLink extends Pick<Attachment, 'filename' | 'size'> {
  url: string
}

/** Returns the files that are in the mail, in their order: of too many bytes the largest ones are linked instead. */
export function splitFiles<F extends Pick<Attachment, 'size'>>(
  files: readonly F[],
): { attached: F[]; linked: F[] } {
  let bytes = files.reduce((sum, { size }) => sum + size, 0)
  const linked = new Set<F>()
  for (const file of files.toSorted((a, b) => b.size - a.size)) {
    if (bytes <= attachedBytesMax) break
    linked.add(file)
    bytes -= file.size
  }
  return {
    attached: files.filter((file) => !linked.has(file)),
    linked: files.filter((file) => linked.has(file)),
  }
}

/** Returns when the links of a mail end that is queued at `queuedMs`: the same moment at every attempt. */
export function linkEndOf(queuedMs: number): number {
  return Math.floor((queuedMs + linkDays * dayMs) / 1000)
}

interface LinkedFile {
  tags: MailTags
  tenantId: string
  file: Pick<Attachment, '_id' | 'filename' | 'size'>
  baseUrl: string
  endsAtSeconds: number
}

/** Returns the link to a file. Everyone who has it may read the file until it ends. */
export function fileLinkOf({ tags, tenantId, file, baseUrl, endsAtSeconds }: LinkedFile): FileLink {
  const { _id: id, filename, size } = file
  const path = `${tenantId}/${id}/${endsAtSeconds}.${tags.linkTag(id, endsAtSeconds)}`
  return { filename, size, url: `${baseUrl.replace(/\/$/, '')}${fileLinkPrefix}${path}` }
}

/** The parts of a link. None of them is checked. */
interface NamedFile {
  tenantId: string
  attachmentId: string
  endsAtSeconds: number
  tag: string
}

/** Returns what a path behind the prefix names; undefined when it has not the form of a link. */
export function parseFileLink(path: string): NamedFile | undefined {
  const [, tenantId, attachmentId, endsAt, tag] = pattern.exec(path) ?? []
  if (tenantId === undefined || attachmentId === undefined || tag === undefined) return undefined
  return { tenantId, attachmentId, endsAtSeconds: Number(endsAt), tag }
}

/** Returns whether the tenant of the store has signed the link, and it has not ended. */
export function isValidLink(
  tags: MailTags | undefined,
  { attachmentId, endsAtSeconds, tag }: NamedFile,
  nowMs: number,
): boolean {
  return nowMs < endsAtSeconds * 1000 && tags?.isLinkTag(tag, attachmentId, endsAtSeconds) === true
}
