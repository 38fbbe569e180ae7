import { z } from 'zod'
import { createdAt, ownId, updatedAt } from '../shared/common-fields.ts'

export const tenant = z
  .object({
    _id: ownId('tenant'),
    name: z.string().describe('Name of the organisation.'),
    isSuspended: z.boolean().describe('Whether the tenant is suspended: every credential of it is refused.'),
    createdAt,
    updatedAt,
  })
  .meta({ id: 'Tenant', description: 'An organisation with its own data, users and keys.' })
export type Tenant = z.infer<typeof tenant>
