import { z } from 'zod'

export const attachmentBytesMax = 10 * 1024 * 1024
export const attachmentsPerMessageMax = 10

/** A file as messages list it and an upload answers it. `url` is a path of this API, read with a credential. */
export const attachment = z
  .object({
    _id: z.string(),
    filename: z.string(),
    contentType: z.string(),
    size: z.int(),
    url: z.string(),
  })
  .meta({ id: 'Attachment' })
export type Attachment = z.infer<typeof attachment>

export function attachmentUrl(id: string): string {
  return `/api/v1/attachments/${encodeURIComponent(id)}`
}
