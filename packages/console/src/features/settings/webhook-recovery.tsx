import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { recoverDeliveries } from '../../api/webhooks.ts'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { Button } from '../../ui/button.tsx'
import { ProblemText, useSending } from '../../ui/sending.tsx'
import { styles } from './settings-styles.ts'

interface WebhookRecoveryProps {
  readonly store: Store
  readonly webhookId: string
  readonly onRecovered: () => void
}

const hourMs = 3_600_000
const spans = { hour: hourMs, day: 24 * hourMs, week: 7 * 24 * hourMs } as const
type Span = keyof typeof spans

/** Finds the events that did not reach a receiver, and delivers them after their number was said. */
export function WebhookRecovery({ store, webhookId, onRecovered }: WebhookRecoveryProps): JSX.Element {
  const [span, setSpan] = useState<Span>('day')
  const [found, setFound] = useState<{ readonly since: string; readonly count: number }>()
  const { isSending, problem, send } = useSending()
  const texts = more.webhooks.recovery
  const find = async () => {
    const since = new Date(Date.now() - spans[span]).toISOString()
    const count = await recoverDeliveries(store.crm, webhookId, { since, dryRun: true })
    setFound({ since, count })
  }
  const deliver = async () => {
    if (found === undefined) return
    await recoverDeliveries(store.crm, webhookId, { since: found.since })
    setFound(undefined)
    onRecovered()
  }
  return (
    <>
      <h3>{texts.title}</h3>
      <p>{texts.hint}</p>
      <div style={styles.actions}>
        <label>
          {texts.since}{' '}
          <select
            class="input"
            style={{ width: 'auto' }}
            value={span}
            onChange={({ currentTarget }) => {
              setSpan(currentTarget.value as Span)
              setFound(undefined)
            }}
          >
            {(Object.keys(spans) as Span[]).map((name) => (
              <option key={name} value={name}>
                {texts.spans[name]}
              </option>
            ))}
          </select>
        </label>
        <Button isDisabled={isSending} onClick={() => send(find)}>
          {texts.find}
        </Button>
        {found !== undefined && found.count > 0 && (
          <Button kind="primary" isDisabled={isSending} onClick={() => send(deliver, texts.done)}>
            {texts.deliver(found.count)}
          </Button>
        )}
      </div>
      <ProblemText problem={problem} />
      <p role="status">{found && (found.count === 0 ? texts.none : texts.found(found.count))}</p>
    </>
  )
}
