import type { Integration, UpdateIntegration } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { updateSource } from '../../api/imports.ts'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { Button } from '../../ui/button.tsx'
import { ProblemText, useSending } from '../../ui/sending.tsx'
import { styles } from './settings-styles.ts'

interface ImportDefaultsProps {
  readonly store: Store
  readonly integration: Integration
  readonly onChanged: () => void
}

type DateOrder = NonNullable<UpdateIntegration['dateOrder']>

/** The country, the time zone and the order of dates of a source whose files do not say them. */
export function ImportDefaults({ store, integration, onChanged }: ImportDefaultsProps): JSX.Element {
  const [country, setCountry] = useState(integration.defaultCountry ?? '')
  const [timeZone, setTimeZone] = useState(integration.timeZone ?? '')
  const [dateOrder, setDateOrder] = useState(integration.dateOrder)
  const { isSending, problem, send } = useSending()
  const texts = more.imports
  const save = async () => {
    await updateSource(store.crm, integration._id, {
      defaultCountry: country.trim().toUpperCase() || null,
      timeZone: timeZone.trim() || null,
      dateOrder: dateOrder as DateOrder,
    })
    onChanged()
  }
  return (
    <details>
      <summary>{texts.defaults}</summary>
      <form
        style={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          send(save, texts.saved)
        }}
      >
        <label class="field">
          {texts.country}
          <input
            class="input"
            maxLength={2}
            value={country}
            onInput={({ currentTarget }) => setCountry(currentTarget.value)}
          />
        </label>
        <label class="field">
          {texts.timeZone}
          <input
            class="input"
            value={timeZone}
            onInput={({ currentTarget }) => setTimeZone(currentTarget.value)}
          />
        </label>
        <label class="field">
          {texts.dateOrder}
          <select
            class="input"
            value={dateOrder}
            onChange={({ currentTarget }) => setDateOrder(currentTarget.value)}
          >
            {(Object.keys(texts.dateOrders) as DateOrder[]).map((order) => (
              <option key={order} value={order}>
                {texts.dateOrders[order]}
              </option>
            ))}
          </select>
        </label>
        <ProblemText problem={problem} />
        <Button type="submit" isDisabled={isSending}>
          {more.settings.save}
        </Button>
      </form>
    </details>
  )
}
