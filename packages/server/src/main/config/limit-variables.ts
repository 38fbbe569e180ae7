import { z } from 'zod'
import type { LimitSettings } from '../../ports/rate-limiter.ts'

const perMinuteMax = 1_000_000_000

function perMinute(requests: number) {
  const message = `must be a number of requests a minute, 0 (no limit) to ${perMinuteMax}`
  return z
    .string()
    .regex(/^\d{1,10}$/, message)
    .transform(Number)
    .pipe(z.int().max(perMinuteMax, message))
    .default(requests)
}

/** The part of the environment that is about rate limits; the defaults are those of contract 4. */
export const limitVariables = {
  CRM_RATE_LIMITS: z.enum(['on', 'off'], 'must be on or off').default('on'),
  CRM_LIMIT_KEY_PER_MINUTE: perMinute(600),
  CRM_LIMIT_USER_PER_MINUTE: perMinute(300),
  CRM_LIMIT_TENANT_PER_MINUTE: perMinute(3000),
  CRM_LIMIT_PEOPLE_PER_MINUTE: perMinute(30_000),
  CRM_LIMIT_ADDRESS_PER_MINUTE: perMinute(120),
  CRM_LIMIT_LOGIN_PER_MINUTE: perMinute(20),
  CRM_LIMIT_MAILS_PER_SENDER: z
    .string()
    .regex(/^\d{1,9}$/, 'must be a number of mails an hour, 0 (no limit) to 999999999')
    .transform(Number)
    .default(200),
  CRM_DISK_FREE_MB: z
    .string()
    .regex(/^\d{1,9}$/, 'must be a number of MB, 0 to 999999999')
    .transform(Number)
    .optional(),
}
const limitSchema = z.object(limitVariables)

/** Returns the limits; undefined when they are switched off. */
export function limitSettings(values: z.output<typeof limitSchema>): LimitSettings | undefined {
  if (values.CRM_RATE_LIMITS === 'off') return undefined
  return {
    key: values.CRM_LIMIT_KEY_PER_MINUTE,
    user: values.CRM_LIMIT_USER_PER_MINUTE,
    tenant: values.CRM_LIMIT_TENANT_PER_MINUTE,
    people: values.CRM_LIMIT_PEOPLE_PER_MINUTE,
    address: values.CRM_LIMIT_ADDRESS_PER_MINUTE,
    login: values.CRM_LIMIT_LOGIN_PER_MINUTE,
  }
}
