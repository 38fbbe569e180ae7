import type { ReplyRecipients } from '@crmkit/sdk'
import { useEffect, useState } from 'preact/hooks'
import type { Store } from '../../store/store.ts'

type Known<Entry> = readonly (Entry & { readonly address: string })[]

/** Every role may read customers, so no address is hidden from a person. */
export interface ShownRecipients extends Omit<ReplyRecipients, 'to' | 'cc' | 'offered'> {
  readonly to: Known<ReplyRecipients['to'][number]>
  readonly cc: Known<ReplyRecipients['cc'][number]>
  readonly offered: Known<ReplyRecipients['offered'][number]>
}

/**
 * How a reply leaves, and the recipients of one that names none, as they are shown and then sent. They are read again with each
 * message, and with each change of the customer, because both may change them; and when somebody begins to write, because a visitor
 * may have come or gone since.
 */
export function useRecipients(
  store: Store,
  conversationId: string,
  isBegun: boolean,
): ShownRecipients | undefined {
  const [found, setFound] = useState<ShownRecipients | undefined>(undefined)
  const { channel, inboxId, seq, customerId } = store.conversations.rows.row(conversationId).value ?? {}
  const customer = customerId ? store.conversations.customers.row(customerId).value : undefined
  const inbox = store.inboxes.value.find(({ _id }) => _id === inboxId)
  const mayMail = inbox && channel === 'email' && inbox.email.transport !== 'none'
  useEffect(() => {
    const { shown } = store.outgoing
    if (mayMail === undefined) return
    if (!mayMail) shown.delete(conversationId)
    let isOver = false
    store.crm.conversations.recipients(conversationId).then(
      (recipients) => {
        if (isOver) return
        const { sendsMail, to, cc } = recipients as ShownRecipients
        setFound(recipients as ShownRecipients)
        const addresses = (list: ShownRecipients['to']) => list.map(({ address }) => address)
        if (!sendsMail) shown.delete(conversationId)
        else shown.set(conversationId, { to: addresses(to), cc: addresses(cc) })
      },
      // Without the connection the service fills them in when the reply is saved.
      () => undefined,
    )
    return () => {
      isOver = true
    }
  }, [conversationId, mayMail, seq, customerId, customer, !mayMail && isBegun])
  return found
}
