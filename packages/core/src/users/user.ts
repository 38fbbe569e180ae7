import { z } from 'zod'
import { roles } from '../contract/permissions.ts'
import { optionalText, timestamp } from '../shared/text.ts'

export const availabilities = ['online', 'away', 'offline'] as const

/** A user is one identity's membership in one tenant. */
export const user = z
  .object({
    _id: z.string(),
    tenantId: z.string(),
    email: z.string(),
    firstName: z.string().nullable(),
    lastName: z.string().nullable(),
    role: z.enum(roles),
    isActive: z.boolean(),
    availability: z.enum(availabilities),
    processingRestricted: z.boolean(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'User' })
export type User = z.infer<typeof user>

/** A user inside another resource. */
export const userSummary = z
  .object({
    _id: z.string(),
    email: z.string(),
    firstName: z.string().nullable(),
    lastName: z.string().nullable(),
  })
  .meta({ id: 'UserSummary' })

const profileFields = {
  firstName: optionalText(100),
  lastName: optionalText(100),
  availability: z.enum(availabilities).nullable().optional(),
}
export const updateMeBody = z.strictObject(profileFields).meta({ id: 'UpdateMe' })
export const updateUserBody = z
  .strictObject({ ...profileFields, role: z.enum(roles).optional(), isActive: z.boolean().optional() })
  .meta({ id: 'UpdateUser' })
export type UpdateUserBody = z.output<typeof updateUserBody>
