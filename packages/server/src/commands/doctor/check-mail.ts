import { probeRelay } from '../../main/compose/parts.ts'
import type { Check } from './check.ts'

export const checkMail: Check = {
  subject: 'mail',
  run: async ({ config }) => {
    const { relay } = config.mail
    const steps = await probeRelay(config)
    if (relay === undefined || steps === undefined) {
      const sentence =
        'No mail relay is set: only inboxes with a server of their own send, and no invitation is mailed.'
      return [{ outcome: 'ok', sentence }]
    }
    const { host, port, user } = relay.server
    const failed = steps.find(({ ok }) => !ok)
    if (failed === undefined) {
      const entrance = user === null ? 'accepts a connection' : 'accepts the sign-in'
      return [{ outcome: 'ok', sentence: `The mail relay ${host}:${port} ${entrance}.` }]
    }
    const sentence = `The mail relay ${host}:${port} cannot be used: ${failed.error}`
    const mend = 'Correct CRM_SMTP_URL, or the server; mail waits up to 48 hours and is sent then'
    return [{ outcome: 'problem', sentence, mend }]
  },
}
