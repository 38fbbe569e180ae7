import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { isBlocked, nameOfCustomer } from '../../store/names.ts'
import { more } from '../../strings/more.ts'
import { t } from '../../strings/strings.ts'
import { Button } from '../../ui/button.tsx'
import { ProblemText, useSending } from '../../ui/sending.tsx'
import type { CustomerDialogProps } from './customer-dialog.ts'

/** Blocks or unblocks a customer, after it has said the effect: the inside of its dialog. */
export function BlockCustomerContent({ store, customer, onClose }: CustomerDialogProps): JSX.Element {
  const { isSending, problem, send } = useSending()
  const { _id, profile } = customer
  // The state that the person saw: a colleague's block meanwhile must not turn the button into its opposite.
  const [wasBlocked] = useState(isBlocked(customer))
  const change = async () => {
    const { customers } = store.crm
    store.conversations.customers.put(await (wasBlocked ? customers.unblock(_id) : customers.block(_id)))
    onClose()
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        send(change, wasBlocked ? more.block.undone : more.block.done)
      }}
    >
      <p dir="auto">
        <strong>{nameOfCustomer(customer)}</strong>
      </p>
      <p dir="auto">{wasBlocked ? more.block.undo : more.block.hint(profile.email)}</p>
      <ProblemText problem={problem} />
      <Button type="submit" kind="primary" isDisabled={isSending}>
        {wasBlocked ? t.actions.unblockCustomer : t.actions.blockCustomer}
      </Button>
    </form>
  )
}
