import type { CreateWebhook, Webhook } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { more } from '../../strings/more.ts'
import { Button } from '../../ui/button.tsx'
import { ProblemText, useSending } from '../../ui/sending.tsx'
import { useFocus } from '../../ui/use-focus.ts'
import { headerLines, headersOfLines } from './header-lines.ts'
import { styles } from './settings-styles.ts'
import { type RetryPolicy, WebhookDeliveryFields } from './webhook-delivery-fields.tsx'

type EventType = CreateWebhook['events'][number]
type ShownType = Webhook['events'][number]

/** The compiler names a type that is missing. */
const known: Readonly<Record<EventType, true>> = {
  'conversation.created': true,
  'conversation.updated': true,
  'conversation.assigned': true,
  'conversation.closed': true,
  'conversation.merged': true,
  'conversation.unmerged': true,
  'conversation.deleted': true,
  'message.received': true,
  'message.sent': true,
  'message.updated': true,
  'message.deleted': true,
  'note.created': true,
  'mention.created': true,
  'customer.created': true,
  'customer.updated': true,
  'customer.deleted': true,
  'user.created': true,
  'user.updated': true,
  'user.deleted': true,
  'call.initiated': true,
  'call.ringing': true,
  'call.answered': true,
  'call.completed': true,
  'call.failed': true,
  'call.recording.available': true,
  'mail.parked': true,
  'inbox.failing': true,
  'inbox.recovered': true,
  'integration.failing': true,
  'integration.recovered': true,
}
const eventTypes = Object.keys(known) as ShownType[]

/** As the service sets it for a webhook without one. */
const defaultPolicy: RetryPolicy = { maxRetries: 3, backoffStrategy: 'exponential' }

const columns = {
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fill, minmax(200px, 1fr))',
  gap: '4px 12px',
  margin: '8px 0',
} as const

export type WebhookValues = Pick<CreateWebhook, 'name' | 'url' | 'events' | 'headers' | 'retryPolicy'>

interface WebhookFormProps {
  /** Absent: a new one. */
  readonly webhook?: Webhook
  readonly submit: string
  readonly onSubmit: (values: WebhookValues) => Promise<void>
}

/** The inside of the dialog that creates or changes a webhook. */
export function WebhookForm({ webhook, submit, onSubmit }: WebhookFormProps): JSX.Element {
  const [name, setName] = useState(webhook?.name ?? '')
  const [url, setUrl] = useState(webhook?.url ?? 'https://')
  const [events, setEvents] = useState<readonly ShownType[]>(webhook?.events ?? [])
  const [lines, setLines] = useState(headerLines(webhook?.headers ?? {}))
  const [retryPolicy, setRetryPolicy] = useState<RetryPolicy>(webhook?.retryPolicy ?? defaultPolicy)
  const headers = headersOfLines(lines)
  const { isSending, problem, send } = useSending()
  const field = useFocus(true)
  const texts = more.webhooks
  // Types of later versions stay chosen.
  const offered = [...new Set([...eventTypes, ...(webhook?.events ?? [])])]
  const hasAll = events.length === offered.length
  const setChosen = (type: ShownType, isChosen: boolean) =>
    setEvents(offered.filter((one) => (one === type ? isChosen : events.includes(one))))
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        send(() =>
          onSubmit({
            name: name.trim(),
            url: url.trim(),
            events: [...events] as EventType[],
            // Untouched headers are not sent: a new origin removes them, and says so of masked values only.
            ...(lines !== headerLines(webhook?.headers ?? {}) && { headers }),
            retryPolicy: retryPolicy as CreateWebhook['retryPolicy'],
          }),
        )
      }}
    >
      <label class="field">
        {texts.name}
        <input
          ref={field}
          class="input"
          dir="auto"
          required
          maxLength={100}
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
      </label>
      <label class="field">
        {texts.url}
        <input
          class="input"
          type="url"
          required
          maxLength={2048}
          value={url}
          onInput={({ currentTarget }) => setUrl(currentTarget.value)}
        />
      </label>
      <p class="hint">{texts.urlHint}</p>
      <fieldset style={styles.choices}>
        <legend>{texts.events}</legend>
        <span>
          <Button isSmall onClick={() => setEvents(hasAll ? [] : offered)}>
            {hasAll ? texts.noEvents : texts.all}
          </Button>
        </span>
        <div style={columns}>
          {offered.map((type) => (
            <label key={type}>
              <input
                type="checkbox"
                checked={events.includes(type)}
                onChange={({ currentTarget }) => setChosen(type, currentTarget.checked)}
              />{' '}
              {type}
            </label>
          ))}
        </div>
      </fieldset>
      <details>
        <summary>{texts.more}</summary>
        <WebhookDeliveryFields
          headers={lines}
          hasWrongHeaders={headers === undefined}
          policy={retryPolicy}
          onHeaders={setLines}
          onPolicy={setRetryPolicy}
        />
      </details>
      <ProblemText problem={problem} />
      <Button
        type="submit"
        kind="primary"
        isDisabled={isSending || events.length === 0 || headers === undefined}
      >
        {submit}
      </Button>
    </form>
  )
}
