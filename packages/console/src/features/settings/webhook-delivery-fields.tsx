import type { Webhook } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { more } from '../../strings/more.ts'
import { wordOf } from '../../strings/word-of.ts'

export type RetryPolicy = Webhook['retryPolicy']

interface DeliveryFieldsProps {
  readonly headers: string
  readonly hasWrongHeaders: boolean
  readonly policy: RetryPolicy
  readonly onHeaders: (text: string) => void
  readonly onPolicy: (policy: RetryPolicy) => void
}

const retriesMax = 10

/** The fields of a webhook that a receiver's developer seldom needs: own headers, and how a failed delivery is repeated. */
export function WebhookDeliveryFields({
  headers,
  hasWrongHeaders,
  policy,
  onHeaders,
  onPolicy,
}: DeliveryFieldsProps): JSX.Element {
  const texts = more.webhooks
  // A strategy of a later version stays chosen.
  const strategies = [...new Set([...Object.keys(texts.strategies), policy.backoffStrategy])]
  return (
    <>
      <label class="field">
        {texts.headers}
        <textarea
          class="input"
          rows={3}
          spellcheck={false}
          autocomplete="off"
          placeholder={texts.headersExample}
          aria-invalid={hasWrongHeaders}
          value={headers}
          onInput={({ currentTarget }) => onHeaders(currentTarget.value)}
        />
      </label>
      {hasWrongHeaders && <p role="alert">{texts.headersWrong}</p>}
      <p class="hint">{texts.headersHint}</p>
      <label class="field">
        {texts.retries}
        <input
          class="input"
          type="number"
          required
          min={0}
          max={retriesMax}
          value={policy.maxRetries}
          onInput={({ currentTarget }) => onPolicy({ ...policy, maxRetries: currentTarget.valueAsNumber })}
        />
      </label>
      <label class="field">
        {texts.strategy}
        <select
          class="input"
          value={policy.backoffStrategy}
          onChange={({ currentTarget }) => onPolicy({ ...policy, backoffStrategy: currentTarget.value })}
        >
          {strategies.map((strategy) => (
            <option key={strategy} value={strategy}>
              {wordOf(texts.strategies, strategy)}
            </option>
          ))}
        </select>
      </label>
    </>
  )
}
