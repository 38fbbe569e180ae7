import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { nameOfCustomer } from '../../store/names.ts'
import { more } from '../../strings/more.ts'
import { Button } from '../../ui/button.tsx'
import { ProblemText, useSending } from '../../ui/sending.tsx'
import { useFocus } from '../../ui/use-focus.ts'
import { countConversations } from './count-conversations.ts'
import type { CustomerDialogProps } from './customer-dialog.ts'

/** Erases a customer after their name was typed: the inside of its dialog. */
export function EraseCustomerContent({ store, customer, onErased }: CustomerDialogProps): JSX.Element {
  const [typed, setTyped] = useState('')
  const [count, setCount] = useState('…')
  const { isSending, problem, send } = useSending()
  const field = useFocus(true)
  const name = nameOfCustomer(customer)
  useEffect(() => {
    countConversations(store, customer._id).then(setCount, () => undefined)
  }, [])
  const erase = async () => {
    await store.crm.customers.delete(customer._id)
    onErased()
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (typed.trim() === name) send(erase, more.erase.done)
      }}
    >
      <p dir="auto">
        <strong>{name}</strong>
      </p>
      <p>{more.erase.hint(more.erase.conversations(count))}</p>
      <label class="field">
        <span dir="auto">{more.erase.confirm(name)}</span>
        <input
          ref={field}
          class="input"
          dir="auto"
          autocomplete="off"
          value={typed}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      </label>
      <ProblemText problem={problem} />
      <Button type="submit" kind="primary" isDisabled={isSending || typed.trim() !== name}>
        {more.erase.submit}
      </Button>
    </form>
  )
}
