import { z } from 'zod'
import { referenceTo } from '../shared/reference.ts'
import { optionalText, requiredEmail, requiredText } from '../shared/text.ts'
import { tenant } from '../tenants/tenant.ts'
import { user } from '../users/user.ts'

/** How long an access token lives, in seconds. Source: the specification. */
export const accessTokenSeconds = 900

/** Passwords are taken as they were sent: no trimming, no normalisation. */
const newPassword = z.string().min(10).max(128)
const anyPassword = z.string().min(1).max(128)
const tenantSummary = tenant.pick({ _id: true, name: true })

export const sessionData = z
  .object({
    accessToken: z.string(),
    refreshToken: z.string(),
    tokenType: z.literal('Bearer'),
    expiresIn: z.literal(accessTokenSeconds),
    user,
    tenant: tenantSummary,
  })
  .meta({ id: 'Session' })

export const meData = z
  .object({
    user,
    tenant: tenantSummary,
    memberships: z.array(z.object({ userId: z.string(), role: user.shape.role, tenant: tenantSummary })),
  })
  .meta({ id: 'Me' })

export const registerBody = z
  .strictObject({
    tenantName: requiredText(100),
    email: requiredEmail,
    password: newPassword,
    firstName: optionalText(100),
    lastName: optionalText(100),
  })
  .meta({ id: 'Register' })
export type RegisterBody = z.output<typeof registerBody>

export const loginBody = z
  .strictObject({
    email: z.string().trim().max(254),
    password: anyPassword,
    tenantId: referenceTo('tenant', z.string().max(128)).nullable().optional(),
  })
  .meta({ id: 'Login' })

export const acceptInviteBody = z
  .strictObject({ token: z.string().min(1).max(512), password: newPassword })
  .meta({ id: 'AcceptInvite' })

export const refreshBody = z
  .strictObject({ refreshToken: z.string().min(1).max(512) })
  .meta({ id: 'Refresh' })
export const changePasswordBody = z
  .strictObject({ currentPassword: anyPassword, newPassword })
  .meta({ id: 'ChangePassword' })
