import { z } from 'zod'
import { ownId } from '../shared/common-fields.ts'
import { timestamp } from '../shared/text.ts'

export const attachmentBytesMax = 10 * 1024 * 1024
export const attachmentsPerMessageMax = 10

export const attachment = z
  .object({
    _id: ownId('attachment'),
    filename: z
      .string()
      .describe(
        'Name of the file, made safe to show and to store. At most 150 characters; empty once it was removed.',
      ),
    contentType: z.string().describe('Media type, detected from the bytes.'),
    size: z.int().describe('Size in bytes.'),
    url: z.string().describe('Path of this API that returns the bytes. It needs a credential.'),
    isInline: z
      .boolean()
      .optional()
      .describe('Whether `content` of its e-mail shows it as an image; absent for a file of no e-mail.'),
    contentId: z
      .string()
      .optional()
      .describe('Id by which its e-mail names it (Content-ID); absent where it names none.'),
    removedAt: timestamp
      .optional()
      .describe('Time at which the retention of the tenant has removed its name and bytes; absent before.'),
  })
  .meta({ id: 'Attachment', description: 'A file of a message.' })
export type Attachment = z.infer<typeof attachment>

export function attachmentUrl(id: string, mountPath: string): string {
  return `${mountPath}/api/v1/attachments/${encodeURIComponent(id)}`
}
