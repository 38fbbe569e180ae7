import { more } from '../../strings/more.ts'

/** Later versions of the service may have further reasons. */
export function reasonOf(reason: string | null): string {
  const reasons: Readonly<Record<string, string>> = more.mail.reasons
  return reasons[reason ?? ''] ?? more.mail.otherReason(reason ?? '')
}
