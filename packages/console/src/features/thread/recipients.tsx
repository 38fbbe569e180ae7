import type { ReplyRecipients } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useEffect, useId, useState } from 'preact/hooks'
import { faultsOf, type Problem } from '../../api/problem.ts'
import type { Draft } from '../../store/draft.ts'
import type { Store } from '../../store/store.ts'
import { t } from '../../strings/strings.ts'
import { Button } from '../../ui/button.tsx'
import { addressesOf } from './addresses-of.ts'

export const recipientKinds = ['to', 'cc', 'bcc'] as const
type RecipientKind = (typeof recipientKinds)[number]

interface RecipientsProps {
  readonly store: Store
  readonly conversationId: string
  readonly customerName: string
  readonly draft: Draft
  readonly refusal: Problem | undefined
  readonly onDraft: (draft: Draft) => void
  /** Gets whether a field holds a text that is no address. */
  readonly onWrong: (isWrong: boolean) => void
}

/** The recipients of a reply by e-mail: one line, behind which the fields are. Other channels have none. */
export function Recipients(props: RecipientsProps): JSX.Element | null {
  const { draft, refusal } = props
  const defaults = useDefaults(props)
  const [isOpen, setOpen] = useState(false)
  const isRefused = recipientKinds.some((kind) => faultsOf(refusal, kind).length > 0)
  useEffect(() => {
    if (isRefused) setOpen(true)
  }, [isRefused])
  const isSent = draft.content === ''
  useEffect(() => {
    if (isSent) setOpen(false)
  }, [isSent])
  if (defaults === undefined) return null
  const isNamed = recipientKinds.some((kind) => draft[kind].length > 0)
  if (!defaults.sendsMail) return isNamed ? <NoMail {...props} /> : null
  if (isOpen) return <Fields {...props} defaults={defaults} />
  return (
    <p class="composer-recipients">
      <span dir="auto">{isNamed ? namedText(draft) : defaultText(defaults)}</span>{' '}
      <Button isSmall kind="plain" onClick={() => setOpen(true)}>
        {t.recipients.change}
      </Button>
    </p>
  )
}

/** The conversation has moved to an inbox without e-mail: the service refuses a reply that names recipients. */
function NoMail({ draft, onDraft }: RecipientsProps): JSX.Element {
  return (
    <p class="composer-recipients">
      {t.recipients.noMail}{' '}
      <Button isSmall onClick={() => onDraft({ ...draft, to: [], cc: [], bcc: [] })}>
        {t.recipients.remove}
      </Button>
    </p>
  )
}

/** The faults that the service finds in the recipients of one kind. */
export function faultTexts(refusal: Problem | undefined, kind: RecipientKind): string[] {
  return faultsOf(refusal, kind).map((fault) => t.recipients.fault(t.recipients.fields[kind], fault))
}

function namedText({ to, cc, bcc }: Draft): string {
  const list = (addresses: readonly string[]) => addresses.join(', ')
  return [
    t.recipients.to(list(to)),
    cc.length > 0 && t.recipients.cc(list(cc)),
    bcc.length > 0 && t.recipients.bcc(list(bcc)),
  ]
    .filter(Boolean)
    .join(' · ')
}

function defaultText({ to, cc }: ReplyRecipients): string {
  const list = (mailboxes: ReplyRecipients['to']) =>
    mailboxes.map(({ name, address }) => name || address).join(', ')
  if (to.length === 0) return t.recipients.nobody
  return [t.recipients.to(list(to)), cc.length > 0 && t.recipients.cc(list(cc))].filter(Boolean).join(' · ')
}

interface FieldsProps extends RecipientsProps {
  readonly defaults: ReplyRecipients
}

function Fields({ draft, defaults, refusal, onDraft, onWrong }: FieldsProps): JSX.Element {
  const [texts, setTexts] = useState(() => textsOf(draft, defaults))
  const wrong = (kind: RecipientKind) => addressesOf(texts[kind]).wrong
  const isWrong = recipientKinds.some((kind) => wrong(kind).length > 0)
  useEffect(() => {
    onWrong(isWrong)
    return () => onWrong(false)
  }, [isWrong])
  const change = (kind: RecipientKind, text: string) => {
    const changed = { ...texts, [kind]: text }
    setTexts(changed)
    const of = (one: RecipientKind) => addressesOf(changed[one]).addresses
    onDraft({ ...draft, to: of('to'), cc: of('cc'), bcc: of('bcc') })
  }
  return (
    <div class="composer-addresses">
      {recipientKinds.map((kind) => (
        <AddressField
          key={kind}
          kind={kind}
          text={texts[kind]}
          problems={[...wrong(kind).map(t.recipients.wrong), ...faultTexts(refusal, kind)]}
          onText={(text) => change(kind, text)}
        />
      ))}
    </div>
  )
}

/** The fields begin with those who would get the reply, so that one of them can be left out. */
function textsOf(draft: Draft, defaults: ReplyRecipients): Record<RecipientKind, string> {
  const isNamed = draft.to.length > 0
  const addresses = (list: ReplyRecipients['to']) => list.map(({ address }) => address)
  return {
    to: (isNamed ? draft.to : addresses(defaults.to)).join(', '),
    cc: (isNamed || draft.cc.length > 0 ? draft.cc : addresses(defaults.cc)).join(', '),
    bcc: draft.bcc.join(', '),
  }
}

interface AddressFieldProps {
  readonly kind: RecipientKind
  readonly text: string
  readonly problems: readonly string[]
  readonly onText: (text: string) => void
}

function AddressField({ kind, text, problems, onText }: AddressFieldProps): JSX.Element {
  const id = useId()
  const isWrong = problems.length > 0
  return (
    <div class="composer-address">
      <label for={id}>{t.recipients.fields[kind]}</label>
      <input
        id={id}
        class="input"
        dir="auto"
        autocomplete="off"
        spellcheck={false}
        value={text}
        aria-invalid={isWrong}
        aria-describedby={isWrong ? `${id}-problem` : undefined}
        onInput={({ currentTarget }) => onText(currentTarget.value)}
      />
      {isWrong && (
        <p id={`${id}-problem`} class="field-error" role="alert">
          {problems.join(' ')}
        </p>
      )}
    </div>
  )
}

/** The recipients that the service would choose: read again with each message, because a new mail may change them. */
function useDefaults({ store, conversationId }: RecipientsProps): ReplyRecipients | undefined {
  const [defaults, setDefaults] = useState<ReplyRecipients | undefined>(undefined)
  const { channel, inboxId, seq } = store.conversations.rows.row(conversationId).value ?? {}
  const inbox = store.inboxes.value.find(({ _id }) => _id === inboxId)
  const mayMail = inbox && channel === 'email' && inbox.email.transport !== 'none'
  useEffect(() => {
    if (mayMail === undefined) return
    if (!mayMail) return setDefaults({ sendsMail: false, to: [], cc: [] })
    let isOver = false
    store.crm.conversations.recipients(conversationId).then(
      (found) => {
        if (!isOver) setDefaults(found)
      },
      // Without the permission, or the connection, the service chooses as it does without this line.
      () => undefined,
    )
    return () => {
      isOver = true
    }
  }, [conversationId, mayMail, seq])
  return defaults
}
