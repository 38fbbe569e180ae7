import { z } from 'zod'
import { createdAt, ownId } from '../shared/common-fields.ts'
import { optionalTimestamp, timestamp } from '../shared/text.ts'

export const tenantExportStatuses = ['queued', 'running', 'ready', 'failed', 'expired'] as const

export const tenantExport = z
  .object({
    _id: ownId('export'),
    status: z
      .enum(tenantExportStatuses)
      .describe('`ready`: its parts can be downloaded. `expired`: they are deleted.'),
    attachments: z.boolean().describe('Whether the files of messages are parts.'),
    requestedBy: z.string().describe('Id of the owner who asked for it.'),
    counts: z.record(z.string(), z.int()).describe('Records so far, by kind.'),
    partCount: z.int().describe('Number of parts.'),
    error: z
      .object({ code: z.string().describe('Code.'), message: z.string().describe('Sentence.') })
      .nullable()
      .describe('Reason of the end, of `failed` and `expired`; null without one.'),
    createdAt,
    finishedAt: optionalTimestamp.describe('Time of the end.'),
    expiresAt: timestamp.describe('Time at which the parts are removed, 7 days after the request.'),
  })
  .meta({ id: 'TenantExport', description: 'An export of everything that a package can have of a tenant.' })
export type TenantExport = z.infer<typeof tenantExport>

export const tenantExportPart = z
  .object({
    name: z.string().describe('Path in the folder of the package.'),
    size: z.int().describe('Bytes.'),
    sha256: z.string().describe('SHA-256 of the bytes, hexadecimal.'),
    url: z.string().describe('Address of the download.'),
  })
  .meta({ id: 'TenantExportPart', description: 'A file of a package.' })
export type TenantExportPart = z.infer<typeof tenantExportPart>

export const tenantExportDetails = tenantExport
  .extend({ parts: z.array(tenantExportPart).describe('The parts from `from` on, at most 1,000.') })
  .meta({ id: 'TenantExportDetails', description: 'An export with its parts.' })
export type TenantExportDetails = z.infer<typeof tenantExportDetails>

export const createTenantExportBody = z
  .strictObject({
    currentPassword: z.string().min(1).max(128).describe('Password of the owner who asks.'),
    attachments: z
      .boolean()
      .nullable()
      .optional()
      .describe('Whether the files of messages are parts. Default: true.'),
  })
  .meta({ id: 'CreateTenantExport', description: 'A new export.' })
