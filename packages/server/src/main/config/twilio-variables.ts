import { z } from 'zod'
import type { TwilioSettings } from '../../ports/telephony-provider.ts'

function sid(prefix: string) {
  return (
    z
      .string()
      // bounded: built of fixed prefixes; a fixed length.
      .regex(new RegExp(`^${prefix}[0-9a-f]{32}$`), `must be ${prefix} and 32 hexadecimal digits`)
  )
}

/** The part of the environment that is about telephony. All of them are set, or none. */
export const twilioVariables = {
  CRM_TWILIO_ACCOUNT_SID: sid('AC').optional(),
  CRM_TWILIO_AUTH_TOKEN: z.string().min(16, 'must be at least 16 characters long').optional(),
  CRM_TWILIO_API_KEY_SID: sid('SK').optional(),
  CRM_TWILIO_API_KEY_SECRET: z.string().min(16, 'must be at least 16 characters long').optional(),
  CRM_TWILIO_APP_SID: sid('AP').optional(),
}
const schema = z.object(twilioVariables)
type Values = z.output<typeof schema> & { CRM_BASE_URL?: string | undefined }

export const twilioSecrets = ['CRM_TWILIO_AUTH_TOKEN', 'CRM_TWILIO_API_KEY_SECRET'] as const

const names = Object.keys(twilioVariables) as (keyof typeof twilioVariables)[]

/** Returns the problems of a half-made set-up. */
export function twilioProblems(values: Values): string[] {
  const isSet = names.some((name) => values[name] !== undefined)
  if (!isSet) return []
  // The provider signs the address that it calls, so the service has to know it.
  const needed = [...names, 'CRM_BASE_URL'] as const
  return needed
    .filter((name) => values[name] === undefined)
    .map((name) => `${name} is required with the other CRM_TWILIO_ variables`)
}

/** Returns the settings; undefined without any. */
export function twilioSettings(values: Values): TwilioSettings | undefined {
  const { CRM_TWILIO_ACCOUNT_SID: accountSid, CRM_TWILIO_AUTH_TOKEN: authToken } = values
  const { CRM_TWILIO_API_KEY_SID: apiKeySid, CRM_TWILIO_API_KEY_SECRET: apiKeySecret } = values
  const { CRM_TWILIO_APP_SID: applicationSid } = values
  if (!accountSid || !authToken || !apiKeySid || !apiKeySecret || !applicationSid) return undefined
  return { accountSid, authToken, apiKeySid, apiKeySecret, applicationSid }
}
