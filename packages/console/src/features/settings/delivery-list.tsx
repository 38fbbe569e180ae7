import type { DeliveryLog } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { type Problem, problemOf } from '../../api/problem.ts'
import { readDeliveries, redeliver } from '../../api/webhooks.ts'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { momentTime } from '../../strings/times.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ProblemText, useSending } from '../../ui/sending.tsx'
import { Empty, ProblemBox, SkeletonRows } from '../../ui/states.tsx'
import { resultOf, SentRequest } from './delivery-facts.tsx'
import { styles } from './settings-styles.ts'
import { Cell, SettingsTable } from './settings-table.tsx'

interface DeliveryListProps {
  readonly store: Store
  readonly webhookId: string
  /** Another number reads the list again. */
  readonly round: number
}

type Filter = keyof typeof more.webhooks.filters

/** The latest attempts of a webhook. */
export function DeliveryList({ store, webhookId, round }: DeliveryListProps): JSX.Element {
  const [filter, setFilter] = useState<Filter>('all')
  const { deliveries, problem, read } = useDeliveries({ store, webhookId, round }, filter)
  const [shown, setShown] = useState<DeliveryLog>()
  const texts = more.webhooks
  return (
    <>
      <h3>{texts.deliveries}</h3>
      <div style={styles.actions}>
        <label>
          {texts.show}{' '}
          <select
            class="input"
            style={{ width: 'auto' }}
            value={filter}
            onChange={({ currentTarget }) => setFilter(currentTarget.value as Filter)}
          >
            {(Object.keys(texts.filters) as Filter[]).map((name) => (
              <option key={name} value={name}>
                {texts.filters[name]}
              </option>
            ))}
          </select>
        </label>
        <Button onClick={read}>{texts.refresh}</Button>
      </div>
      {problem && <ProblemBox title={more.settings.failed} reason={problem} onRetry={read} />}
      {deliveries === undefined && !problem && <SkeletonRows count={3} rowHeight={40} />}
      {deliveries?.length === 0 && <Empty title={texts.deliveriesNone} hint={texts.deliveriesNoneHint} />}
      {deliveries !== undefined && deliveries.length > 0 && (
        <SettingsTable label={texts.deliveries} columns={texts.deliveriesColumns}>
          {deliveries.map((delivery) => (
            <tr key={delivery._id}>
              <Cell>{momentTime(delivery.deliveredAt ?? delivery.createdAt)}</Cell>
              <Cell>{delivery.event}</Cell>
              <Cell>{delivery.attempt}</Cell>
              <Cell>{resultOf(delivery)}</Cell>
              <Cell>
                <Button isSmall onClick={() => setShown(delivery)}>
                  {texts.details(delivery.event)}
                </Button>
              </Cell>
            </tr>
          ))}
        </SettingsTable>
      )}
      {shown && (
        <Dialog title={texts.detailsTitle(shown.event)} onClose={() => setShown(undefined)}>
          <SentRequest store={store} delivery={shown} />
          <Again
            store={store}
            delivery={shown}
            onPlanned={() => {
              setShown(undefined)
              read()
            }}
          />
        </Dialog>
      )}
    </>
  )
}

interface AgainProps {
  readonly store: Store
  readonly delivery: DeliveryLog
  readonly onPlanned: () => void
}

function Again({ store, delivery, onPlanned }: AgainProps): JSX.Element | null {
  const { isSending, problem, send } = useSending()
  const texts = more.webhooks
  const deliver = async () => {
    await redeliver(store.crm, delivery)
    onPlanned()
  }
  // The event of a test is stored nowhere.
  if (delivery.status === 'pending' || delivery.event === 'webhook.test') return null
  return (
    <>
      <ProblemText problem={problem} />
      <Button
        kind="primary"
        isDisabled={isSending}
        onClick={() => send(deliver, texts.planAgain(delivery.event))}
      >
        {texts.again}
      </Button>
    </>
  )
}

/** So many are read at once. */
const limit = 100
/** Milliseconds after which a list with a planned attempt is read again, at least and at most. */
const againMinMs = 1_500
const againMaxMs = 60_000

function useDeliveries({ store, webhookId, round }: DeliveryListProps, filter: Filter) {
  const [deliveries, setDeliveries] = useState<readonly DeliveryLog[]>()
  const [problem, setProblem] = useState<Problem>()
  const latest = useRef(0)
  const read = () => {
    latest.current += 1
    const current = latest.current
    setProblem(undefined)
    readDeliveries(store.crm, webhookId, { limit, ...(filter !== 'all' && { status: filter }) }).then(
      (found) => current === latest.current && setDeliveries(found),
      (error) => current === latest.current && setProblem(problemOf(error)),
    )
  }
  useEffect(read, [filter, round])
  useEffect(() => {
    const planned = deliveries?.flatMap(({ status, nextAttemptAt }) =>
      status === 'pending' && nextAttemptAt ? [Date.parse(nextAttemptAt)] : [],
    )
    if (!planned?.length) return
    const waitMs = Math.min(...planned) - Date.now() + againMinMs
    const timer = setTimeout(read, Math.min(Math.max(waitMs, againMinMs), againMaxMs))
    return () => clearTimeout(timer)
  }, [deliveries])
  return { deliveries, problem, read }
}
