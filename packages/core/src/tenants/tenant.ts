import { z } from 'zod'
import { createdAt, ownId, updatedAt } from '../shared/common-fields.ts'
import { countryCode } from '../shared/country.ts'
import { requiredText } from '../shared/text.ts'
import { retentionSettings, updateRetention } from './tenant-retention.ts'

export const quotaUse = z
  .object({
    used: z
      .int()
      .describe('Present use. Changes by other processes of the service may be missing for a minute.'),
    limit: z.int().describe('Limit of the tenant; -1 without a limit.'),
  })
  .meta({ id: 'QuotaUse', description: 'Use and limit of one quota of a tenant.' })
export type QuotaUse = z.infer<typeof quotaUse>

const countryText =
  'ISO 3166 code of the country in which phone numbers without one are read, such as `DE`; null: unknown.'

export const tenant = z
  .object({
    _id: ownId('tenant'),
    name: z.string().describe('Name of the organisation.'),
    isSuspended: z.boolean().describe('Whether the tenant is suspended: every credential of it is refused.'),
    country: z.string().nullable().describe(countryText),
    retention: retentionSettings.describe('How long it keeps closed conversations and files.'),
    usage: z
      .record(z.string(), quotaUse)
      .describe(
        'Use and limit by quota: `customers`, `conversations`, `messages` and so on are numbers of resources, ' +
          '`attachmentBytes` is the size of the attachments of messages in bytes, `inboundMailBytes` that of mails as they arrived, ' +
          'and `importFileBytes` that of files to import.',
      ),
    createdAt,
    updatedAt,
  })
  .meta({ id: 'Tenant', description: 'An organisation with its own data, users and keys.' })
/** A tenant as it is stored: the usage is counted when it is asked for. */
export type Tenant = Omit<z.infer<typeof tenant>, 'usage' | 'country' | 'retention'>

export const updateTenantBody = z
  .strictObject({
    name: requiredText(100).optional().describe('Name of the organisation.'),
    country: countryCode.nullable().optional().describe(countryText),
    retention: updateRetention
      .optional()
      .describe('How long it keeps closed conversations and files. Only an owner may send it.'),
  })
  .meta({ id: 'UpdateTenant', description: 'Changes of the tenant. An absent field keeps its value.' })
export type UpdateTenantBody = z.output<typeof updateTenantBody>
