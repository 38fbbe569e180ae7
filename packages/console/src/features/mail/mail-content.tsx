import type { InboundMail, MakeConversation } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { discardMail, makeConversationOfMail, readRawMail } from '../../api/mails.ts'
import { findCustomers } from '../../store/find-customers.ts'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { t } from '../../strings/strings.ts'
import { exactTime } from '../../strings/times.ts'
import { Button } from '../../ui/button.tsx'
import type { Choice } from '../../ui/chooser.tsx'
import { download } from '../../ui/download.ts'
import { Finder } from '../../ui/finder.tsx'
import { ProblemText, useSending } from '../../ui/sending.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { styles } from './mail-styles.ts'
import { reasonOf } from './reasons.ts'
import { useProcessAgain } from './use-process-again.ts'

interface MailContentProps {
  readonly store: Store
  readonly mail: InboundMail
  /** Gets the mail as it is now, when it still needs a person. */
  readonly onChanged: (mail: InboundMail) => void
  readonly onDone: () => void
  readonly onMade: (conversationId: string) => void
}

/** One mail that needs a person: what it says, and what a person does with it. The inside of its dialog. */
export function MailContent(props: MailContentProps): JSX.Element {
  const { store, mail, onDone } = props
  const [doing, setDoing] = useState<'make' | 'discard' | undefined>(undefined)
  const [source, setSource] = useState<string | undefined>(undefined)
  const { isSending, problem, send } = useSending()
  const { happened, again } = useProcessAgain(props)
  const show = async () => setSource(shownSource(await (await readRawMail(store.crm, mail._id)).text()))
  const discard = async () => {
    await discardMail(store.crm, mail._id)
    showToast(more.mail.discarded)
    onDone()
  }
  const hasBytes = mail.rawDeletedAt === null
  return (
    <>
      <p>{[reasonOf(mail.reason), mail.error].filter(Boolean).join('. ')}</p>
      <Facts store={store} mail={mail} />
      <p role="status">{happened}</p>
      <ProblemText problem={problem} />
      {doing === 'make' && <MakeForm {...props} />}
      {doing === 'discard' && (
        <>
          <p>{more.mail.discardHint}</p>
          <p class="dialog-buttons">
            <Button kind="primary" onClick={() => send(discard)}>
              {more.mail.discardNow}
            </Button>
            <Button isDisabled={isSending} onClick={() => setDoing(undefined)}>
              {more.mail.keep}
            </Button>
          </p>
        </>
      )}
      {doing === undefined && (
        <p class="dialog-buttons">
          <Button kind="primary" isDisabled={isSending || !hasBytes} onClick={() => setDoing('make')}>
            {more.mail.make}
          </Button>
          {mail.status === 'parked' && (
            <Button isDisabled={!hasBytes} onClick={() => send(again)}>
              {more.mail.again}
            </Button>
          )}
          <Button isDisabled={isSending} onClick={() => setDoing('discard')}>
            {more.mail.discard}
          </Button>
          <Button isDisabled={!hasBytes} onClick={() => send(show)}>
            {more.mail.read}
          </Button>
          <Button
            isDisabled={!hasBytes}
            onClick={() =>
              send(async () => download(await readRawMail(store.crm, mail._id), `${mail._id}.eml`))
            }
          >
            {more.mail.download}
          </Button>
        </p>
      )}
      {source !== undefined && (
        <section aria-label={more.mail.source}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keys scroll it only when it can have the focus */}
          <pre style={styles.source} dir="auto" tabIndex={0}>
            {source}
          </pre>
        </section>
      )}
    </>
  )
}

const sourceMax = 50_000

/** A longer text would hold the page; the file has all of it. */
function shownSource(text: string): string {
  return text.length > sourceMax ? `${text.slice(0, sourceMax)}…` : text
}

function Facts({ store, mail }: { readonly store: Store; readonly mail: InboundMail }): JSX.Element {
  const inbox = store.inboxes.value.find(({ _id }) => _id === mail.inboxId)
  const facts = [
    [more.mail.from, mail.from || mail.envelope.from || more.mail.noSender],
    [more.mail.to, mail.envelope.to.join(', ')],
    [more.mail.inbox, inbox?.name ?? ''],
    [more.mail.received, exactTime(mail.receivedAt)],
  ].filter(([, value]) => value)
  return (
    <dl style={styles.facts}>
      {facts.map(([name, value]) => (
        <div key={name} style={styles.fact}>
          <dt style={styles.factName}>{name}</dt>
          <dd style={styles.factValue} dir="auto">
            {value}
          </dd>
        </div>
      ))}
    </dl>
  )
}

type Place = 'sender' | 'customer' | 'conversation'
const places = ['sender', 'customer', 'conversation'] as const

/** Asks where the mail belongs, and who has sent it where the mail does not say it. */
function MakeForm({ store, mail, onMade }: MailContentProps): JSX.Element {
  const [place, setPlace] = useState<Place>('sender')
  const [chosen, setChosen] = useState<Choice | undefined>(undefined)
  const [address, setAddress] = useState('')
  const [name, setName] = useState('')
  const { problem, send } = useSending()
  const isComplete = place === 'sender' || chosen !== undefined
  const make = async () => {
    const body: MakeConversation = {
      ...(chosen && place === 'customer' && { customerId: chosen.id }),
      ...(chosen && place === 'conversation' && { conversationId: chosen.id }),
      ...(address.trim() && { sender: { address: address.trim(), name: name.trim() || null } }),
    }
    const made = await makeConversationOfMail(store.crm, mail._id, body)
    store.conversations.take(made)
    showToast(more.mail.made)
    onMade(made._id)
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (isComplete) send(make)
      }}
    >
      {mail.from === null && (
        <>
          <label class="field">
            {more.mail.senderAddress}
            <input
              class="input"
              type="email"
              required
              maxLength={254}
              value={address}
              onInput={({ currentTarget }) => setAddress(currentTarget.value)}
            />
          </label>
          <label class="field">
            {more.mail.senderName}
            <input
              class="input"
              dir="auto"
              maxLength={200}
              value={name}
              onInput={({ currentTarget }) => setName(currentTarget.value)}
            />
          </label>
        </>
      )}
      <fieldset style={styles.places}>
        <legend class="field-label">{more.mail.where}</legend>
        {places.map((one) => (
          <label key={one} style={styles.place}>
            <input
              type="radio"
              name="place"
              checked={place === one}
              onChange={() => {
                setPlace(one)
                setChosen(undefined)
              }}
            />
            {more.mail.places[one]}
          </label>
        ))}
      </fieldset>
      {place !== 'sender' && (
        <PlaceChooser key={place} store={store} place={place} chosen={chosen} onChoose={setChosen} />
      )}
      <ProblemText problem={problem} />
      <Button kind="primary" type="submit" isDisabled={!isComplete}>
        {more.mail.make}
      </Button>
    </form>
  )
}

interface PlaceChooserProps {
  readonly store: Store
  readonly place: Exclude<Place, 'sender'>
  readonly chosen: Choice | undefined
  readonly onChoose: (choice: Choice | undefined) => void
}

function PlaceChooser({ store, place, chosen, onChoose }: PlaceChooserProps): JSX.Element {
  if (chosen === undefined) {
    const search = place === 'customer' ? findCustomers : findConversations
    return <Finder label={more.mail.find[place]} search={(text) => search(store, text)} onChoose={onChoose} />
  }
  return (
    <p dir="auto">
      {chosen.text}{' '}
      <Button isSmall onClick={() => onChoose(undefined)}>
        {more.mail.change}
      </Button>
    </p>
  )
}

const conversationsMost = 8

async function findConversations({ crm }: Store, text: string): Promise<Choice[]> {
  const page = await crm.conversations.list({
    limit: conversationsMost,
    sort: '-updatedAt',
    ...(text && { search: text }),
  })
  return page.data.map(({ _id, subject }) => ({ id: _id, text: subject || t.list.noSubject }))
}
