import type { JSX } from 'preact'
import { useEffect, useId, useState } from 'preact/hooks'
import { faultsOf, type Problem } from '../../api/problem.ts'
import { addressed, type Draft, hasRecipients, isEmpty } from '../../store/draft.ts'
import type { ShownRecipients } from '../../store/recipients.ts'
import { isAdmin } from '../../store/roles.ts'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { t } from '../../strings/strings.ts'
import { momentTime } from '../../strings/times.ts'
import { Button } from '../../ui/button.tsx'
import { addressesOf } from './addresses-of.ts'
import { faultTexts, type RecipientKind, recipientKinds } from './recipient-faults.ts'

export interface RecipientsProps {
  readonly store: Store
  readonly conversationId: string
  readonly customerName: string
  readonly draft: Draft
  /** The recipients of a reply that names none; undefined until they are read. */
  readonly suggested: ShownRecipients | undefined
  readonly refusal: Problem | undefined
  readonly onDraft: (changed: Partial<Draft>) => void
  /** Gets whether a field holds a text that is no address. */
  readonly onWrong: (isWrong: boolean) => void
}

/** How a reply leaves, and the recipients of one by e-mail: one line, behind which the fields are. */
export function Recipients(props: RecipientsProps): JSX.Element | null {
  const { draft, refusal, suggested, customerName } = props
  const [isOpen, setOpen] = useState(false)
  const isRefused = recipientKinds.some((kind) => faultsOf(refusal, kind).length > 0)
  useEffect(() => {
    if (isRefused) setOpen(true)
  }, [isRefused])
  const isSent = isEmpty(draft)
  useEffect(() => {
    if (isSent) setOpen(false)
  }, [isSent])
  if (suggested === undefined) return null
  const isNamed = hasRecipients(draft)
  if (!suggested.sendsMail) return isNamed ? <NoMail {...props} /> : <Door {...props} suggested={suggested} />
  const offers = <Offers {...props} suggested={suggested} />
  if (isOpen)
    return (
      <>
        <Fields {...props} suggested={suggested} />
        {offers}
      </>
    )
  return (
    <>
      <p class="composer-recipients">
        <span dir="auto">{isNamed ? namedText(draft) : suggestedText(suggested, customerName)}</span>
        {' · '}
        <span dir="auto">{more.recipients.byMail(suggested.from?.address)}</span>{' '}
        <Button isSmall kind="plain" onClick={() => setOpen(true)}>
          {more.recipients.change}
        </Button>
      </p>
      {offers}
    </>
  )
}

interface SuggestedProps extends RecipientsProps {
  readonly suggested: ShownRecipients
}

/** A visitor who was there a moment ago is there: it is noted once a minute. */
const presentMs = 120_000

/** The door of a reply that is no e-mail: nobody may believe it sent when nobody sends it. */
function Door({ store, conversationId, suggested }: SuggestedProps): JSX.Element {
  return (
    <p class="composer-recipients">
      {suggested.door === 'chat' && chatText(suggested.visitorSeenAt)}
      {suggested.door === 'webhook' && more.recipients.byWebhook}
      {suggested.door === 'none' && `${more.recipients.byNobody} ${adviceOf(store, conversationId)}`}
    </p>
  )
}

function chatText(seenAt: string | null): string {
  if (seenAt === null) return more.recipients.inChat
  const isThere = Date.now() - Date.parse(seenAt) < presentMs
  return isThere ? more.recipients.visitorIsThere : more.recipients.visitorIsAway(momentTime(seenAt))
}

function adviceOf(store: Store, conversationId: string): string {
  if (!isAdmin(store)) return more.recipients.tellAdmin
  const isMail = store.conversations.rows.peek(conversationId)?.channel === 'email'
  return more.recipients.connect[isMail ? 'email' : 'other']
}

/** Addresses that only an unverified mail names: a person may add them. */
function Offers({ draft, suggested, onDraft }: SuggestedProps): JSX.Element | null {
  const now = addressed(draft, addressesOfAll(suggested))
  const taken = new Set([...now.to, ...now.cc, ...now.bcc])
  const open = suggested.offered.filter(({ address }) => !taken.has(address))
  if (open.length === 0) return null
  return (
    <p class="composer-recipients">
      {more.recipients.offered}{' '}
      {open.map(({ address, kind }) => (
        <Button
          key={address}
          isSmall
          kind="plain"
          onClick={() =>
            onDraft({
              to: kind === 'to' ? [...now.to, address] : now.to,
              cc: kind === 'cc' ? [...now.cc, address] : now.cc,
            })
          }
        >
          {more.recipients.add(address)}
        </Button>
      ))}
    </p>
  )
}

function addressesOfAll({ to, cc }: ShownRecipients) {
  return { to: to.map(({ address }) => address), cc: cc.map(({ address }) => address) }
}

/** The conversation has moved to an inbox without e-mail: the service refuses a reply that names recipients. */
function NoMail({ onDraft }: RecipientsProps): JSX.Element {
  return (
    <p class="composer-recipients">
      {more.recipients.noMail}{' '}
      <Button isSmall onClick={() => onDraft({ to: [], cc: [], bcc: [] })}>
        {more.recipients.remove}
      </Button>
    </p>
  )
}

function namedText({ to, cc, bcc }: Draft): string {
  const list = (addresses: readonly string[]) => addresses.join(', ')
  return [
    t.recipients.to(list(to)),
    cc.length > 0 && more.recipients.cc(list(cc)),
    bcc.length > 0 && more.recipients.bcc(list(bcc)),
  ]
    .filter(Boolean)
    .join(' · ')
}

/** The address always stands beside the name: a name alone says nothing about who gets the reply. */
function suggestedText({ to, cc }: ShownRecipients, customerName: string): string {
  const textOf = ({ name, address, isCustomers, verified }: ShownRecipients['to'][number]) => {
    const shown = name || (isCustomers ? customerName : '')
    const whole = shown === '' || shown === address ? address : `${shown} <${address}>`
    return isCustomers || verified === true ? whole : more.recipients.unverified(whole)
  }
  const list = (entries: ShownRecipients['to']) => entries.map(textOf).join(', ')
  if (to.length === 0) return more.recipients.nobody
  return [t.recipients.to(list(to)), cc.length > 0 && more.recipients.cc(list(cc))]
    .filter(Boolean)
    .join(' · ')
}

function Fields({ draft, suggested, refusal, onDraft, onWrong }: SuggestedProps): JSX.Element {
  const [texts, setTexts] = useState(() => textsOf(draft, suggested))
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
    onDraft({ to: of('to'), cc: of('cc'), bcc: of('bcc') })
  }
  return (
    <div class="composer-addresses">
      {recipientKinds.map((kind) => (
        <AddressField
          key={kind}
          kind={kind}
          text={texts[kind]}
          problems={[...wrong(kind).map(more.recipients.wrong), ...faultTexts(refusal, kind)]}
          onText={(text) => change(kind, text)}
        />
      ))}
    </div>
  )
}

/** The fields begin with those who would get the reply, so that one of them can be left out. */
function textsOf(draft: Draft, suggested: ShownRecipients): Record<RecipientKind, string> {
  const { to, cc, bcc } = addressed(draft, addressesOfAll(suggested))
  return { to: to.join(', '), cc: cc.join(', '), bcc: bcc.join(', ') }
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
