import { useEffect } from 'preact/hooks'
import type { ShownRecipients } from '../../store/recipients.ts'
import type { Store } from '../../store/store.ts'

/** How a reply leaves, and the recipients of one that names none; undefined until they are read. */
export function useRecipients(
  { recipients }: Store,
  conversationId: string,
  isBegun: boolean,
): ShownRecipients | undefined {
  const basis = recipients.basisOf(conversationId)
  useEffect(() => recipients.follow(conversationId), [conversationId, basis, isBegun])
  return recipients.at(conversationId).value
}
