import { MailboxFailure } from '../../ports/mail-source.ts'

/** Returns the failure where the provider of a mailbox gives no access. */
export function orMailboxFailure<T>(found: Promise<T>): Promise<T | MailboxFailure> {
  return found.catch((error: unknown) => {
    if (error instanceof MailboxFailure) return error
    throw error
  })
}
