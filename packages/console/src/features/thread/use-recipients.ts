import type { ReplyRecipients } from '@crmkit/sdk'
import { useEffect, useState } from 'preact/hooks'
import type { Store } from '../../store/store.ts'

const noMail: ReplyRecipients = { sendsMail: false, door: 'none', from: null, to: [], cc: [], offered: [] }

/**
 * The recipients of a reply that names none, as they are shown and then sent. They are read again with each message, and with
 * each change of the customer, because both may change them.
 */
export function useRecipients(store: Store, conversationId: string): ReplyRecipients | undefined {
  const [found, setFound] = useState<ReplyRecipients | undefined>(undefined)
  const { channel, inboxId, seq, customerId } = store.conversations.rows.row(conversationId).value ?? {}
  const customer = customerId ? store.conversations.customers.row(customerId).value : undefined
  const inbox = store.inboxes.value.find(({ _id }) => _id === inboxId)
  const mayMail = inbox && channel === 'email' && inbox.email.transport !== 'none'
  useEffect(() => {
    const { shown } = store.outgoing
    const show = (recipients: ReplyRecipients | undefined) => {
      setFound(recipients)
      const addresses = (list: ReplyRecipients['to']) => list.map(({ address }) => address)
      if (!recipients?.sendsMail) shown.delete(conversationId)
      else shown.set(conversationId, { to: addresses(recipients.to), cc: addresses(recipients.cc) })
    }
    if (mayMail === undefined) return
    if (!mayMail) return show(noMail)
    let isOver = false
    store.crm.conversations.recipients(conversationId).then(
      (recipients) => {
        if (!isOver) show(recipients)
      },
      // Without the permission, or the connection, the service fills them in when the reply is saved.
      () => undefined,
    )
    return () => {
      isOver = true
    }
  }, [conversationId, mayMail, seq, customerId, customer])
  return found
}
