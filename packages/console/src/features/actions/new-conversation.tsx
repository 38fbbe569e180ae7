import type { JSX } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'
import { KeptForm } from '../../store/kept-form.ts'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { Button } from '../../ui/button.tsx'
import { ProblemText, useSending } from '../../ui/sending.tsx'
import { useFocus } from '../../ui/use-focus.ts'
import { type ChosenCustomer, customerIdOf } from './chosen-customer.ts'
import { CustomerChooser } from './customer-chooser.tsx'

interface NewConversationProps {
  readonly store: Store
  readonly onClose: () => void
  /** Gets the id of the new conversation. */
  readonly onMade: (id: string) => void
}

/** Begins a conversation with a customer who has not written: the inside of its dialog. */
export function NewConversationContent({ store, onClose, onMade }: NewConversationProps): JSX.Element {
  const kept = keptOf(store)
  const [customer, setCustomer] = useState<ChosenCustomer | undefined>(kept.read()?.customer)
  return customer === undefined ? (
    <CustomerChooser store={store} onChoose={setCustomer} />
  ) : (
    <MessageForm
      store={store}
      customer={customer}
      onCustomer={setCustomer}
      onMade={(id) => {
        kept.remove()
        onClose()
        onMade(id)
      }}
    />
  )
}

/** The text stays in this browser until it is sent or emptied, whatever closes the dialog. */
interface KeptConversation {
  readonly customer: ChosenCustomer
  readonly inboxId: string
  readonly subject: string
  readonly content: string
}

function keptOf({ me }: Store): KeptForm<KeptConversation> {
  return new KeptForm(me._id, 'new-conversation')
}

interface MessageFormProps {
  readonly store: Store
  readonly customer: ChosenCustomer
  readonly onCustomer: (customer: ChosenCustomer | undefined) => void
  readonly onMade: (id: string) => void
}

function MessageForm({ store, customer, onCustomer, onMade }: MessageFormProps): JSX.Element {
  const inboxes = store.inboxes.value.filter(({ isActive }) => isActive)
  const [kept] = useState(() => keptOf(store).read())
  const known = inboxes.find(({ _id }) => _id === kept?.inboxId) ?? inboxes[0]
  const [inboxId, setInboxId] = useState(known?._id ?? '')
  const [subject, setSubject] = useState(kept?.subject ?? '')
  const [content, setContent] = useState(kept?.content ?? '')
  const isEmpty = subject === '' && content === ''
  // Before the paint: an Escape right behind the last letter closes the dialog before an effect would run.
  useLayoutEffect(() => {
    if (isEmpty) keptOf(store).remove()
    else keptOf(store).put({ customer, inboxId, subject, content })
  }, [customer, inboxId, subject, content])
  const { isSending, problem, send } = useSending()
  const first = useFocus(true)
  const text = 'id' in customer ? customer.text : more.newConversation.newCustomer(customer.newText)
  const begin = async () => {
    const customerId = await customerIdOf(store, customer)
    // After a refusal below, the next try uses the customer that this one made.
    onCustomer({ id: customerId, text })
    const made = await store.crm.conversations.create({
      subject,
      inboxId,
      customerId,
      message: { content },
    })
    store.conversations.take(made)
    onMade(made._id)
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        send(begin)
      }}
    >
      <p dir="auto">
        {text}{' '}
        <Button isSmall onClick={() => onCustomer(undefined)}>
          {more.newConversation.change}
        </Button>
      </p>
      <label class="field">
        {more.newConversation.inbox}
        <select
          class="input"
          value={inboxId}
          onChange={({ currentTarget }) => setInboxId(currentTarget.value)}
        >
          {inboxes.map(({ _id, name }) => (
            <option key={_id} value={_id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        {more.newConversation.subject}
        <input
          class="input"
          dir="auto"
          required
          maxLength={300}
          ref={first}
          value={subject}
          onInput={({ currentTarget }) => setSubject(currentTarget.value)}
        />
      </label>
      <label class="field">
        {more.newConversation.message}
        <textarea
          class="input"
          dir="auto"
          rows={5}
          required
          maxLength={65_536}
          value={content}
          onInput={({ currentTarget }) => setContent(currentTarget.value)}
        />
      </label>
      <ProblemText problem={problem} />
      <Button kind="primary" type="submit" isDisabled={isSending}>
        {more.newConversation.send}
      </Button>
    </form>
  )
}
