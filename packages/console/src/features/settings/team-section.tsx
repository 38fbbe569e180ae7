import type { QuotaUse, Tenant } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import { readTenant, updateTenant } from '../../api/tenant.ts'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { locale } from '../../strings/strings.ts'
import { wordOf } from '../../strings/word-of.ts'
import { Button } from '../../ui/button.tsx'
import { ProblemText, useSending } from '../../ui/sending.tsx'
import { ProblemBox, SkeletonRows } from '../../ui/states.tsx'
import { countriesOf } from './countries.ts'
import { styles } from './settings-styles.ts'
import { Cell, SettingsTable } from './settings-table.tsx'
import { TeamExport } from './team-export.tsx'
import { TextField } from './text-field.tsx'
import { useFresh } from './use-fresh.ts'

/** The name and the country of the team, and how much of its limits it uses. */
export function TeamSection({ store }: { readonly store: Store }): JSX.Element {
  const { value: tenant, problem, read } = useFresh(() => readTenant(store.crm))
  const texts = more.team
  return (
    <>
      {problem && <ProblemBox title={more.settings.failed} reason={problem} onRetry={read} />}
      {tenant === undefined && !problem && <SkeletonRows count={3} rowHeight={60} />}
      {tenant && (
        <>
          <TeamForm store={store} tenant={tenant} onSaved={read} />
          <h3>{texts.usage}</h3>
          <Usage usage={tenant.usage} />
          {store.me.role === 'owner' && <TeamExport store={store} />}
          <p class="hint">{texts.deletion}</p>
        </>
      )}
    </>
  )
}

interface TeamFormProps {
  readonly store: Store
  readonly tenant: Tenant
  readonly onSaved: () => void
}

function TeamForm({ store, tenant, onSaved }: TeamFormProps): JSX.Element {
  // Only what the person has changed is kept here and sent: another field may change meanwhile.
  const [typed, setTyped] = useState<{ name?: string; country?: string | null }>({})
  const { isSending, problem, send } = useSending()
  const texts = more.team
  const { name, country } = { ...tenant, ...typed }
  const save = async () => {
    const { name: saved } = await updateTenant(store.crm, typed)
    store.tenantName.value = saved
    setTyped({})
    onSaved()
  }
  return (
    <form
      style={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        send(save, texts.saved)
      }}
    >
      <TextField
        label={texts.name}
        value={name}
        isRequired
        maxLength={100}
        onInput={(text) => setTyped({ ...typed, name: text })}
      />
      <p class="hint">{texts.nameHint}</p>
      <CountryField value={country} onChange={(chosen) => setTyped({ ...typed, country: chosen })} />
      <p class="hint">{texts.countryHint}</p>
      <ProblemText problem={problem} />
      <p>
        <Button type="submit" kind="primary" isDisabled={isSending}>
          {more.settings.save}
        </Button>
      </p>
    </form>
  )
}

interface CountryFieldProps {
  readonly value: string | null
  readonly onChange: (country: string | null) => void
}

function CountryField({ value, onChange }: CountryFieldProps): JSX.Element {
  const id = useId()
  const [countries] = useState(() => countriesOf(locale))
  return (
    <div class="field">
      <label for={id}>{more.team.country}</label>
      <select
        id={id}
        class="input"
        value={value ?? ''}
        onChange={({ currentTarget }) => onChange(currentTarget.value || null)}
      >
        <option value="">{more.team.noCountry}</option>
        {countries.map(([code, name]) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </select>
    </div>
  )
}

/** The share of a limit from which it is shown, whatever it limits. */
const nearlyFull = 0.8

/** The quotas that a person knows, and each that is nearly used up. */
function Usage({ usage }: Pick<Tenant, 'usage'>): JSX.Element {
  const texts = more.team
  const isShown = ([name, { used, limit }]: [string, QuotaUse]) =>
    Object.hasOwn(texts.quotas, name) || (limit > 0 && used >= limit * nearlyFull)
  return (
    <SettingsTable label={texts.usage} columns={texts.usageColumns}>
      {Object.entries(usage)
        .filter(isShown)
        .map(([name, { used, limit }]) => (
          <tr key={name}>
            <Cell>{wordOf(texts.quotas, name)}</Cell>
            <Cell>{amountOf(name, used)}</Cell>
            <Cell>{limit === -1 ? texts.unlimited : amountOf(name, limit)}</Cell>
          </tr>
        ))}
    </SettingsTable>
  )
}

function amountOf(name: string, amount: number): string {
  if (!name.endsWith('Bytes')) return amount.toLocaleString(locale)
  return more.team.megabytes((amount / 1_000_000).toLocaleString(locale, { maximumFractionDigits: 1 }))
}
