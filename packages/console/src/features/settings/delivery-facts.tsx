import type { DeliveryLog, TestedDelivery } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { more } from '../../strings/more.ts'
import { locale } from '../../strings/strings.ts'
import { momentTime } from '../../strings/times.ts'
import { wordOf } from '../../strings/word-of.ts'
import { styles } from './settings-styles.ts'

interface DeliveryFactsProps {
  readonly delivery: DeliveryLog
  /** The service keeps it for a test alone. */
  readonly request?: TestedDelivery['request']
}

const codeStyle = {
  margin: 0,
  padding: '8px',
  overflow: 'auto',
  border: '1px solid var(--line)',
  borderRadius: 'var(--radius-small)',
  fontSize: '12px',
} as const

/** The request and the response of one attempt. */
export function DeliveryFacts({ delivery, request }: DeliveryFactsProps): JSX.Element {
  const texts = more.webhooks
  const { eventId, deliveryId, remoteAddress, timings, nextAttemptAt, status } = delivery
  const total = timings && texts.ms(timings.total.toLocaleString(locale))
  const facts = { eventId, deliveryId, remoteAddress, total }
  return (
    <>
      <h3>{texts.response}</h3>
      <p role="status">{resultOf(delivery)}</p>
      {delivery.error && <p dir="auto">{delivery.error}</p>}
      {nextAttemptAt && status === 'failed' && <p>{texts.next(momentTime(nextAttemptAt))}</p>}
      <dl style={styles.facts}>
        {(Object.keys(facts) as (keyof typeof facts)[]).map(
          (name) =>
            facts[name] && (
              <>
                <dt>{texts.fields[name]}</dt>
                <dd style={styles.fact}>{facts[name]}</dd>
              </>
            ),
        )}
      </dl>
      <p class="hint">{texts.bodyHint}</p>
      {request && (
        <>
          <h3>{texts.request}</h3>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keys scroll it only when it can have the focus */}
          <pre style={codeStyle} tabIndex={0}>
            {[
              `${request.method} ${request.url}`,
              ...Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`),
            ].join('\n')}
          </pre>
        </>
      )}
    </>
  )
}

/** The result of an attempt in a few words. */
export function resultOf({ status, statusCode, errorCode, nextAttemptAt }: DeliveryLog): string {
  const texts = more.webhooks
  if (status === 'pending') return texts.planned(momentTime(nextAttemptAt ?? ''))
  const code = statusCode === null ? texts.noResponse : texts.statusCode(statusCode)
  return errorCode === null ? code : `${code}. ${wordOf(texts.errors, errorCode)}`
}
