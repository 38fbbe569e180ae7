import { z } from 'zod'
import { signInMinutes } from './sign-in-values.ts'
import { requiredText, timestamp } from './text.ts'

export const startedSignIn = z
  .object({
    authorizationUrl: z.string().describe('Address where the person signs in and grants access.'),
    state: z.string().describe('Name of this sign-in, for the confirmation. It serves once.'),
    expiresAt: timestamp.describe(`End of the sign-in: ${signInMinutes} minutes after its start.`),
  })
  .meta({
    id: 'StartedSignIn',
    description: 'A sign-in at an external CRM, or at the provider of a mailbox, that waits for the person.',
  })

export const confirmSignInBody = z
  .strictObject({ state: requiredText(200).describe('State of the sign-in.') })
  .meta({ id: 'ConfirmIntegration', description: 'The confirmation of a sign-in.' })
