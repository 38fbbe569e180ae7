import { z } from 'zod'
import { roles } from '../contract/permissions.ts'
import { optionalText, requiredEmail, timestamp } from '../shared/text.ts'

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

/** How long an invitation can be accepted. Source: the contract. */
export const inviteLifeMs = 72 * 3600 * 1000

export const inviteUserBody = z
  .strictObject({
    email: requiredEmail,
    role: z.enum(roles),
    firstName: optionalText(100),
    lastName: optionalText(100),
  })
  .meta({ id: 'InviteUser' })
export type InviteUserBody = z.output<typeof inviteUserBody>

/** The answer to an invitation: the only place where its token is ever seen. */
export const invitedUser = user
  .extend({ inviteToken: z.string(), inviteExpiresAt: timestamp })
  .meta({ id: 'InvitedUser' })

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
