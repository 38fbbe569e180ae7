import type { ListedCustomer } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { nameOfCustomer } from '../../store/names.ts'
import { more } from '../../strings/more.ts'
import { exactTime, shortTime } from '../../strings/times.ts'
import { styles } from './customers-styles.ts'

interface CustomersTableProps {
  readonly customers: readonly ListedCustomer[]
  readonly canChoose: boolean
  readonly chosen: ReadonlySet<string>
  readonly onChoose: (chosen: ReadonlySet<string>) => void
  readonly addressOf: (id: string) => string
}

/** The most customers of one change. */
const chosenMax = 100

export function CustomersTable(props: CustomersTableProps): JSX.Element {
  const { customers, canChoose, chosen, onChoose, addressOf } = props
  const choose = (id: string, isChosen: boolean) => {
    const next = new Set(chosen)
    if (isChosen && next.size < chosenMax) next.add(id)
    if (!isChosen) next.delete(id)
    onChoose(next)
  }
  return (
    <table style={styles.table}>
      <thead>
        <tr>
          {canChoose && <td style={styles.head} />}
          {more.customers.columns.map((name) => (
            <th key={name} scope="col" style={styles.head}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {customers.map((customer) => {
          const { _id, profile, tier, tags, lastContactAt, openConversations } = customer
          const name = nameOfCustomer(customer)
          return (
            <tr key={_id}>
              {canChoose && (
                <td style={styles.cell}>
                  <input
                    type="checkbox"
                    aria-label={more.customers.choose(name)}
                    checked={chosen.has(_id)}
                    onChange={({ currentTarget }) => choose(_id, currentTarget.checked)}
                  />
                </td>
              )}
              <td style={styles.cell}>
                <a href={addressOf(_id)} dir="auto">
                  {name}
                </a>
              </td>
              <td style={styles.cell}>{profile.email}</td>
              <td style={styles.cell} dir="auto">
                {profile.company}
              </td>
              <td style={styles.cell}>{tier}</td>
              <td style={styles.cell} dir="auto">
                {tags.join(', ')}
              </td>
              <td style={styles.cell} title={lastContactAt ? exactTime(lastContactAt) : undefined}>
                {lastContactAt && shortTime(lastContactAt)}
              </td>
              <td style={styles.cell}>{openConversations}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
