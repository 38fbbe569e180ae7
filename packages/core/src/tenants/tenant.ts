import { z } from 'zod'
import { timestamp } from '../shared/text.ts'

export const tenant = z
  .object({
    _id: z.string(),
    name: z.string(),
    isSuspended: z.boolean(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Tenant' })
export type Tenant = z.infer<typeof tenant>
