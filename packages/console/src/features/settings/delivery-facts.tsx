import type { DeliveryLog, LoggedDelivery, TestedDelivery } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { type Problem, problemOf } from '../../api/problem.ts'
import { readDelivery } from '../../api/webhooks.ts'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { locale } from '../../strings/strings.ts'
import { momentTime } from '../../strings/times.ts'
import { wordOf } from '../../strings/word-of.ts'
import { ProblemBox, SkeletonRows } from '../../ui/states.tsx'
import { styles } from './settings-styles.ts'

interface DeliveryFactsProps {
  readonly delivery: DeliveryLog
  readonly request?: TestedDelivery['request'] | null
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
          <Code
            text={[
              `${request.method} ${request.url}`,
              ...Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`),
            ].join('\n')}
          />
        </>
      )}
    </>
  )
}

/** A text of a program, as it is. */
function Code({ text }: { readonly text: string }): JSX.Element {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keys scroll it only when it can have the focus
    <pre style={codeStyle} tabIndex={0}>
      {text}
    </pre>
  )
}

interface SentRequestProps {
  readonly store: Store
  readonly delivery: DeliveryLog
}

/** The request of an attempt that was made, as far as the service keeps it. */
export function SentRequest({ store, delivery }: SentRequestProps): JSX.Element {
  const [details, setDetails] = useState<LoggedDelivery>()
  const [problem, setProblem] = useState<Problem>()
  const texts = more.webhooks
  const read = () => {
    setProblem(undefined)
    readDelivery(store.crm, delivery).then(setDetails, (error) => setProblem(problemOf(error)))
  }
  useEffect(read, [delivery._id])
  if (problem) return <ProblemBox title={more.settings.failed} reason={problem} onRetry={read} />
  if (details === undefined) return <SkeletonRows count={2} rowHeight={40} />
  const { body } = details
  const isErased = body?.['erased'] === true
  return (
    <>
      <DeliveryFacts delivery={details} request={details.request} />
      {details.request && <p class="hint">{texts.requestHint}</p>}
      <h3>{texts.sentBody}</h3>
      {body === null && <p>{texts.noBody}</p>}
      {isErased && <p>{texts.erasedBody}</p>}
      {body !== null && !isErased && <Code text={JSON.stringify(body, null, 2)} />}
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
