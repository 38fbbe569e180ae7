import type { CustomersListQuery } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { more } from '../../strings/more.ts'
import { styles } from './customers-styles.ts'

const tiers = ['bronze', 'silver', 'gold', 'platinum'] as const
const sorts = ['-createdAt', 'lastName', '-lastContactAt', 'lastContactAt', '-updatedAt'] as const
const contacts = ['any', 'week', 'month', 'silent'] as const

export interface Filter {
  readonly sort: (typeof sorts)[number]
  readonly search?: string
  readonly tier?: (typeof tiers)[number]
  readonly tag?: string
  readonly company?: string
  readonly contact?: (typeof contacts)[number]
}

const dayMs = 86_400_000
const daysOf = { week: 7, month: 30, silent: 30 } as const

/** The same within a day, so that a list is not read again with each key. */
function contactQuery({ contact = 'any' }: Filter, nowMs: number): CustomersListQuery {
  if (contact === 'any') return {}
  const today = Math.floor(nowMs / dayMs) * dayMs
  const at = new Date(today - daysOf[contact] * dayMs).toISOString()
  return contact === 'silent' ? { lastContactUntil: at } : { lastContactSince: at }
}

/** Returns the query of a filter. */
export function queryOf(filter: Filter, nowMs: number = Date.now()): CustomersListQuery {
  const { sort, tier } = filter
  const [search, tag, company] = [filter.search, filter.tag, filter.company].map((text) => text?.trim())
  return {
    sort,
    ...(search && { search }),
    ...(tier && { tier }),
    ...(tag && { tags: [tag] }),
    ...(company && { company }),
    ...contactQuery(filter, nowMs),
  }
}

interface CustomerFilterProps {
  readonly filter: Filter
  readonly onChange: (filter: Filter) => void
}

export function CustomerFilter({ filter, onChange }: CustomerFilterProps): JSX.Element {
  const words = more.customers.filter
  const text = (field: 'search' | 'tag' | 'company') => (
    <label style={styles.field}>
      {words[field]}
      <input
        class="input"
        style={styles.input}
        maxLength={field === 'tag' ? 64 : 200}
        value={filter[field] ?? ''}
        onInput={({ currentTarget }) => onChange({ ...filter, [field]: currentTarget.value })}
      />
    </label>
  )
  const select = (
    field: 'tier' | 'contact' | 'sort',
    options: readonly (readonly [value: string, name: string])[],
  ) => (
    <label style={styles.field}>
      {words[field]}
      <select
        class="input"
        value={filter[field] ?? ''}
        onChange={({ currentTarget }) =>
          onChange({ ...filter, [field]: currentTarget.value || undefined } as Filter)
        }
      >
        {options.map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
  return (
    <form style={styles.bar} onSubmit={(event) => event.preventDefault()}>
      {text('search')}
      {select('tier', [['', words.anyTier], ...tiers.map((tier) => [tier, tier] as const)])}
      {text('tag')}
      {text('company')}
      {select(
        'contact',
        contacts.map((contact) => [contact === 'any' ? '' : contact, words.contacts[contact]]),
      )}
      {select(
        'sort',
        sorts.map((sort) => [sort, words.sorts[sort]]),
      )}
    </form>
  )
}
