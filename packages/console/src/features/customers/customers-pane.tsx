import type { Customer, CustomersListQuery, ListedCustomer } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { type CustomerPage, readCustomers } from '../../api/customers.ts'
import { type Problem, problemOf } from '../../api/problem.ts'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { t } from '../../strings/strings.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Empty, ProblemBox, SkeletonRows } from '../../ui/states.tsx'
import { BulkTags } from './bulk-tags.tsx'
import { CustomerFilter, type Filter, queryOf } from './customer-filter.tsx'
import { CustomerView } from './customer-view.tsx'
import { styles } from './customers-styles.ts'
import { CustomersTable } from './customers-table.tsx'

interface CustomersPaneProps {
  readonly store: Store
  /** The customer who is shown; undefined: the table. */
  readonly customerId: string | undefined
  /** A part of the address: the tab of the customer that is shown first. */
  readonly tab: string | undefined
  readonly addressOfCustomer: (id?: string) => string
  readonly addressOfConversation: (id: string) => string
  /** The dialog that erases a customer. */
  readonly eraseDialog: (customer: Customer, onClose: () => void) => JSX.Element
  /** Shows the views on a narrow screen. */
  readonly onMenu: () => void
}

/** The table of the customers, or one of them. */
export function CustomersPane(props: CustomersPaneProps): JSX.Element {
  const { store, customerId, onMenu } = props
  const [filter, setFilter] = useState<Filter>({ sort: '-createdAt' })
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const { page, problem, readMore, replace, retry } = useCustomers(store, queryOf(filter))
  return (
    <section class="list-pane setup" aria-label={more.customers.title}>
      <header class="list-head">
        <h1>
          {customerId ? <a href={props.addressOfCustomer()}>{more.customers.title}</a> : more.customers.title}
        </h1>
        {page && !customerId && <span role="status">{more.customers.count(page.total)}</span>}
        <IconButton class="nav-open" icon="menu" label={t.nav.openMenu} onClick={onMenu} />
      </header>
      {customerId ? (
        <CustomerView key={customerId} {...props} customerId={customerId} />
      ) : (
        <>
          <CustomerFilter filter={filter} onChange={setFilter} />
          {chosen.size > 0 && (
            <BulkTags
              store={store}
              ids={[...chosen]}
              onChanged={replace}
              onClear={() => setChosen(new Set())}
            />
          )}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keys scroll it only when it can have the focus */}
          <div style={styles.body} tabIndex={0}>
            {problem && <ProblemBox title={more.customers.failed} reason={problem} onRetry={retry} />}
            {page === undefined && !problem && <SkeletonRows count={8} rowHeight={40} />}
            {page?.customers.length === 0 && (
              <Empty title={more.customers.none} hint={more.customers.noneHint} />
            )}
            {page && page.customers.length > 0 && (
              <CustomersTable
                customers={page.customers}
                canChoose={store.me.role !== 'viewer'}
                chosen={chosen}
                onChoose={setChosen}
                addressOf={props.addressOfCustomer}
              />
            )}
            {page?.hasMore && <Button onClick={readMore}>{more.customers.more}</Button>}
          </div>
        </>
      )}
    </section>
  )
}

const typingMs = 200

/** The customers of a filter; those of the filter before stay until they are there. */
function useCustomers({ crm }: Store, query: CustomersListQuery) {
  const [page, setPage] = useState<CustomerPage | undefined>(undefined)
  const [problem, setProblem] = useState<Problem | undefined>(undefined)
  const asked = useRef(0)
  const pages = useRef(1)
  const read = async (from: number) => {
    const own = ++asked.current
    setProblem(undefined)
    try {
      const found = await readCustomers(crm, query, from)
      if (own !== asked.current) return
      pages.current = from
      const before = from > 1 ? (page?.customers ?? []) : []
      setPage({ ...found, customers: [...before, ...found.customers] })
    } catch (error) {
      if (own === asked.current) setProblem(problemOf(error))
    }
  }
  const key = JSON.stringify(query)
  useEffect(() => {
    const timer = setTimeout(() => void read(1), typingMs)
    return () => clearTimeout(timer)
  }, [key])
  const replace = (changed: ReadonlyMap<string, Pick<ListedCustomer, 'tags'>>) =>
    setPage(
      (shown) =>
        shown && {
          ...shown,
          customers: shown.customers.map((row) => ({ ...row, tags: (changed.get(row._id) ?? row).tags })),
        },
    )
  return {
    page,
    problem,
    replace,
    retry: () => void read(1),
    readMore: () => void read(pages.current + 1),
  }
}
