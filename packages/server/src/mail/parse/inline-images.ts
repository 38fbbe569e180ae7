import { attachmentUrl } from '@crmkit/core'

/** A mail with more files shows the first ones; the others are in its bytes. */
export const mailFilesMax = 100

const ulidLength = 26

/**
 * Returns the URL by which the content of a mail shows one of its files until that file has an id. It is as long as the
 * URL that takes its place, so offsets in the content stay right, and no id has its form.
 */
export function fileUrl(index: number): string {
  return attachmentUrl(`att_${String(index).padStart(ulidLength, '-')}`, '')
}

const image = /<img src="\/api\/v1\/attachments\/att_-+(\d+)"/g

/** Puts the URLs of stored files into the content of a mail. Only the parser writes such a tag: text has no bare `<`. */
export function withStoredImages(content: string, attachmentIds: readonly string[]): string {
  return content.replace(image, (tag, index: string) => {
    const id = attachmentIds[Number(index)]
    return id === undefined ? tag : `<img src="${attachmentUrl(id, '')}"`
  })
}

/** Whether a URL is one of `fileUrl`. */
export function isFileUrl(url: string): boolean {
  return /^\/api\/v1\/attachments\/att_-+\d+$/.test(url)
}
