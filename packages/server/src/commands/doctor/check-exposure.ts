import type { Config } from '../../main/config/config.ts'
import type { Finding } from '../../ports/diagnosis.ts'
import type { Check } from './check.ts'

interface Weakness {
  isPresent: (config: Config) => boolean
  sentence: string
  mend: string
}

/** Settings that a server accepts in production, and that an operator should have meant. */
const weaknesses: readonly Weakness[] = [
  {
    isPresent: ({ registration }) => registration !== 'off',
    sentence: 'CRM_REGISTRATION lets strangers make tenants.',
    mend: 'Leave it unset, and make tenants by crm-server tenants create',
  },
  {
    isPresent: ({ rateLimits }) => rateLimits === undefined,
    sentence:
      'CRM_RATE_LIMITS is off: one client can use up the server, and passwords can be guessed without a limit.',
    mend: 'Leave it unset, and raise single limits by CRM_LIMIT_…_PER_MINUTE',
  },
  {
    isPresent: ({ webhookAllowCidrs, webhookAllowHttp }) => webhookAllowCidrs.length > 0 || webhookAllowHttp,
    sentence:
      'CRM_WEBHOOK_UNSAFE allows webhooks without TLS or to private networks, which every tenant can use.',
    mend: 'Unset CRM_WEBHOOK_ALLOW_CIDRS, CRM_WEBHOOK_ALLOW_HTTP and CRM_WEBHOOK_UNSAFE, unless every tenant is your own',
  },
  {
    isPresent: ({ baseUrl }) => baseUrl?.startsWith('http:') ?? false,
    sentence: 'CRM_BASE_URL has no TLS: passwords and keys travel in the clear.',
    mend: 'Put a proxy with TLS in front of the server, and set its https address',
  },
  {
    isPresent: ({ logLevel }) => ['fatal', 'silent'].includes(logLevel),
    sentence: 'CRM_LOG_LEVEL leaves out errors.',
    mend: 'Set it to info, or to error at least',
  },
]

export const checkExposure: Check = {
  subject: 'exposure',
  run({ config }): Finding[] {
    if (config.environment !== 'production')
      return [{ outcome: 'ok', sentence: 'CRM_ENVIRONMENT is staging: nothing is expected of its settings.' }]
    const found = weaknesses
      .filter(({ isPresent }) => isPresent(config))
      .map(({ sentence, mend }): Finding => ({ outcome: 'warning', sentence, mend }))
    return found.length > 0 ? found : [{ outcome: 'ok', sentence: 'No setting weakens production.' }]
  },
}
