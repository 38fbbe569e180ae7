import { z } from 'zod'
import { roles } from '../contract/permissions.ts'
import { createdAt, ownId, tenantId, updatedAt } from '../shared/common-fields.ts'
import { moment, optionalText, requiredEmail, timestamp } from '../shared/text.ts'

export const availabilities = ['online', 'away', 'offline'] as const
export const availabilityModes = ['auto', ...availabilities] as const

const emailText = 'E-mail address that the person signs in with.'
const firstNameText = 'First name.'
const lastNameText = 'Last name.'
const roleText = 'Role. It decides what the user may do.'
const isActiveText =
  'Whether the user can sign in. False until the invitation is accepted, or after deactivation.'
const availabilityText =
  'Whether the user is there now. Automatic assignment and calls consider those who are `online`.'

export const user = z
  .object({
    _id: ownId('user'),
    tenantId,
    email: z.string().describe(emailText),
    firstName: z.string().nullable().describe(firstNameText),
    lastName: z.string().nullable().describe(lastNameText),
    role: z.enum(roles).describe(roleText),
    isActive: z.boolean().describe(isActiveText),
    availability: z.enum(availabilities).describe(availabilityText),
    availabilityMode: z
      .enum(availabilityModes)
      .describe(
        '`auto`: live streams and input decide, as they do from the start. Else what was set, and so the value of `availability`.',
      ),
    availabilitySince: timestamp.describe('Time from which `availability` has its value.'),
    availabilityUntil: timestamp
      .nullable()
      .describe('Time from which the mode is `auto` again; null: it stays until it is changed.'),
    inviteExpiresAt: timestamp
      .nullable()
      .default(null)
      .describe('Time from which the open invitation is refused; null when there is none.'),
    processingRestricted: z
      .boolean()
      .describe('Whether the person has restricted the processing of their data.'),
    createdAt,
    updatedAt,
  })
  .meta({ id: 'User', description: 'The membership of a person in one tenant.' })
export type User = z.infer<typeof user>

/** More is for nobody to keep; the oldest ones end. */
export const imageSendersMax = 200
const senderDigest = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hex')
  .describe(
    'SHA-256, in hex, of the JSON array of the id of the user, the id of the inbox and the address of the sender in lower case.',
  )

export const ownUser = user
  .extend({
    imageSenders: z
      .array(senderDigest)
      .describe(
        `Senders whose images of other servers the user always wants to see, the last ${imageSendersMax}. No address is stored.`,
      ),
  })
  .meta({ id: 'OwnUser', description: 'The signed-in user, with what nobody else sees.' })

export const userSummary = z
  .object({
    _id: ownId('user'),
    email: z.string().describe(emailText),
    firstName: z.string().nullable().describe(firstNameText),
    lastName: z.string().nullable().describe(lastNameText),
  })
  .meta({ id: 'UserSummary', description: 'A user inside another resource.' })

/** Lifetime of an invitation. Source: contract 6. */
export const inviteLifeMs = 72 * 3600 * 1000

export const inviteUserBody = z
  .strictObject({
    email: requiredEmail.describe(emailText),
    role: z.enum(roles).describe(roleText),
    firstName: optionalText(100).describe(firstNameText),
    lastName: optionalText(100).describe(lastNameText),
  })
  .meta({ id: 'InviteUser', description: 'The person to invite.' })
export type InviteUserBody = z.output<typeof inviteUserBody>

export const invitedUser = user
  .extend({
    inviteToken: z
      .string()
      .describe('Token to accept the invitation with. It is shown only in this response.'),
    inviteExpiresAt: timestamp.describe('Time from which the token is refused.'),
  })
  .meta({ id: 'InvitedUser', description: 'A user with a new invite token.' })

const profileFields = {
  firstName: optionalText(100).describe(firstNameText),
  lastName: optionalText(100).describe(lastNameText),
  availability: z
    .enum(availabilities)
    .nullable()
    .optional()
    .describe('Sets the mode; null sets `auto`: live streams and input decide.'),
  availabilityUntil: moment
    .nullable()
    .optional()
    .describe(
      'Time from which the mode is `auto` again, within the next 7 days; only beside `availability`. Without it, an `availability` stays until it is changed.',
    ),
}
export const updateMeBody = z
  .strictObject({
    ...profileFields,
    imageSender: z
      .strictObject({
        digest: senderDigest,
        isShown: z.boolean().describe('Whether images of the sender are shown from now on.'),
      })
      .optional()
      .describe('One sender to add to `imageSenders`, or to remove from them.'),
  })
  .meta({ id: 'UpdateMe', description: 'Changes of the signed-in user. An absent field keeps its value.' })
export type UpdateMeBody = z.output<typeof updateMeBody>
export const setActivityBody = z
  .strictObject({
    state: z
      .enum(['active', 'idle'])
      .describe(
        '`idle` when the person has not touched this session for a minute, `active` when they do again.',
      ),
  })
  .meta({ id: 'SetActivity', description: 'Whether the person works with this session.' })
export const updateUserBody = z
  .strictObject({
    ...profileFields,
    role: z.enum(roles).optional().describe(roleText),
    isActive: z.boolean().optional().describe('Whether the user can sign in. False ends all sessions.'),
  })
  .meta({ id: 'UpdateUser', description: 'Changes of a user. An absent field keeps its value.' })
export type UpdateUserBody = z.output<typeof updateUserBody>
