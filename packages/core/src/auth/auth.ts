import { z } from 'zod'
import { apiKey } from '../api-keys/api-key.ts'
import { referenceTo } from '../shared/reference.ts'
import { optionalText, requiredEmail, requiredText, timestamp } from '../shared/text.ts'
import { tenant } from '../tenants/tenant.ts'
import { user } from '../users/user.ts'
import { passwordLengthMin } from './password-length.ts'

/** Lifetime of an access token. Source: specification 5.2. */
export const accessTokenSeconds = 900

/** A password is used exactly as sent: no trimming, no normalisation. */
const newPassword = z.string().min(passwordLengthMin).max(128)
const anyPassword = z.string().min(1).max(128)
const tenantSummary = tenant
  .pick({ _id: true, name: true })
  .meta({ description: 'Id and name of the tenant.' })
const email = 'E-mail address. Upper and lower case are the same.'

export const sessionData = z
  .object({
    accessToken: z.string().describe('Token for `Authorization: Bearer`.'),
    refreshToken: z.string().describe('Token for one call of `POST /api/auth/refresh`.'),
    tokenType: z.literal('Bearer').describe('Type of the access token.'),
    expiresIn: z.literal(accessTokenSeconds).describe('Lifetime of the access token in seconds.'),
    user: user.describe('The signed-in user.'),
    tenant: tenantSummary,
  })
  .meta({ id: 'Session', description: 'Tokens of a session, with its user and tenant.' })

export const meData = z
  .object({
    user: user.nullable().describe('The signed-in user; null for an API key.'),
    tenant: tenantSummary,
    memberships: z
      .array(
        z.object({
          userId: z.string().describe('Id of the user in that tenant.'),
          role: user.shape.role,
          tenant: tenantSummary,
        }),
      )
      .describe('All tenants that the person can sign in to; empty for an API key.'),
    apiKey: apiKey
      .pick({ _id: true, name: true, environment: true, permissions: true, expiresAt: true })
      .nullable()
      .describe('The API key; null for a signed-in user.'),
  })
  .meta({ id: 'Me', description: 'The owner of a credential and the tenant.' })

export const registerBody = z
  .strictObject({
    tenantName: requiredText(100).describe('Name of the new tenant.'),
    email: requiredEmail.describe(email),
    password: newPassword.describe('Password for this e-mail, used exactly as sent.'),
    firstName: optionalText(100).describe('First name of the owner.'),
    lastName: optionalText(100).describe('Last name of the owner.'),
    setupToken: z
      .string()
      .max(512)
      .nullable()
      .optional()
      .describe(
        'The token that the server prints at its start; where `GET /api/auth/registration` says that it is needed.',
      ),
  })
  .meta({ id: 'Register', description: 'A new tenant and its owner.' })
export type RegisterBody = z.output<typeof registerBody>

export const registration = z
  .object({
    open: z.boolean().describe('Whether a tenant can be registered now.'),
    first: z.boolean().describe('Whether it would be the first tenant of this server.'),
    setupToken: z
      .boolean()
      .describe(
        'Whether the registration needs the token that the server prints at its start: the first one does where others than its operator may reach the server.',
      ),
  })
  .meta({ id: 'Registration', description: 'Whether a tenant can be registered on this server.' })

export const loginBody = z
  .strictObject({
    email: z.string().trim().max(254).describe(email),
    password: anyPassword.describe('Password for this e-mail.'),
    tenantId: referenceTo('tenant', z.string().max(128))
      .nullable()
      .optional()
      .describe('Id of the tenant to sign in to. Required for a person with several memberships.'),
  })
  .meta({ id: 'Login', description: 'Credentials of a person.' })

export const acceptInviteBody = z
  .strictObject({
    token: z.string().min(1).max(512).describe('The invite token.'),
    password: newPassword.describe('New password; for an e-mail that already has one, that password.'),
    separate: z
      .boolean()
      .nullable()
      .optional()
      .describe(
        'Whether a password that the e-mail does not have yet is accepted for this tenant alone, beside the passwords that it has.',
      ),
  })
  .extend({
    firstName: optionalText(100).describe('First name, unless the invitation has one.'),
    lastName: optionalText(100).describe('Last name, unless the invitation has one.'),
  })
  .meta({ id: 'AcceptInvite', description: 'Acceptance of an invitation.' })

export const invitationBody = z
  .strictObject({ token: z.string().min(1).max(512).describe('The invite token.') })
  .meta({ id: 'InvitationToken', description: 'An invite token.' })

const named = (who: string) => z.object({ name: z.string().describe(`Name of the ${who}.`) })

export const invitation = z
  .object({
    tenant: named('tenant').describe('The tenant that the person joins.'),
    inviter: named('colleague').nullable().describe('The colleague who invites; null without a name.'),
    email: user.shape.email.describe('E-mail address that is invited.'),
    firstName: user.shape.firstName,
    lastName: user.shape.lastName,
    expiresAt: timestamp.describe('Time at which the token ends.'),
  })
  .meta({ id: 'Invitation', description: 'The invitation of a token.' })

export const refreshBody = z
  .strictObject({ refreshToken: z.string().min(1).max(512).describe('The latest refresh token.') })
  .meta({ id: 'Refresh', description: 'A refresh token.' })
export const changePasswordBody = z
  .strictObject({
    currentPassword: anyPassword.describe('The password so far.'),
    newPassword: newPassword.describe('The new password, used exactly as sent.'),
  })
  .meta({ id: 'ChangePassword', description: 'A change of the password.' })

export const passwordResetBody = z
  .strictObject({
    email: z.string().trim().max(254).describe(email),
    tenantId: referenceTo('tenant', z.string().max(128))
      .nullable()
      .optional()
      .describe('Id of a tenant of the person. Then only the password of that membership is reset.'),
  })
  .meta({ id: 'PasswordReset', description: 'A request for a new password.' })
export type PasswordResetBody = z.output<typeof passwordResetBody>

export const confirmPasswordResetBody = z
  .strictObject({
    token: z.string().min(1).max(512).describe('The token of the mail.'),
    password: newPassword.describe('The new password, used exactly as sent.'),
    tenantId: referenceTo('tenant', z.string().max(128))
      .nullable()
      .optional()
      .describe('Id of the tenant to sign in to. Required for a person with several memberships.'),
  })
  .meta({ id: 'ConfirmPasswordReset', description: 'A new password with the token of a mail.' })
