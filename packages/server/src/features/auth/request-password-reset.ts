import type { requestPasswordReset } from '@crmkit/core'
import { assertSendsSystemMail } from '../../mail/out/system-mail.ts'
import type { SystemHandler } from '../system-handler.ts'

/** Looks nothing up: the work for a known address and for an unknown one is the same until the response is sent. */
export const handleRequestPasswordReset: SystemHandler<typeof requestPasswordReset> = async (
  { services, serviceUrl },
  { body },
) => {
  assertSendsSystemMail(services.mail)
  return {
    passwordReset: {
      email: body.email,
      tenantId: body.tenantId || undefined,
      serviceUrl,
    },
    reply: { success: true, message: 'If this e-mail signs in here, a mail with a link is on its way' },
  }
}
