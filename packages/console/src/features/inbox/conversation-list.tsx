import type { JSX } from 'preact'
import { useRef } from 'preact/hooks'
import type { Store } from '../../store/store.ts'
import type { ListName } from '../../store/views.ts'
import { t } from '../../strings/strings.ts'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Empty, ProblemBox, SkeletonRows } from '../../ui/states.tsx'
import { VirtualList } from '../../ui/virtual-list.tsx'
import { ConversationRow } from './conversation-row.tsx'
import './inbox.css'

/** CSS pixels. */
const rowHeight = 84
/** Milliseconds after the last key before a search begins. */
const typingMs = 300

interface ConversationListProps {
  readonly store: Store
  readonly name: ListName
  readonly title: string
  readonly chosenId: string | undefined
  /** The address of a conversation in this list. */
  readonly addressOf: (id: string) => string
  readonly onSearch: (text: string) => void
  /** Shows the views on a narrow screen. */
  readonly onMenu: () => void
}

export function ConversationList(props: ConversationListProps): JSX.Element {
  const { store, name, title, chosenId, addressOf, onSearch, onMenu } = props
  const typing = useRef<ReturnType<typeof setTimeout>>(undefined)
  const { total, isEstimate, state } = store.lists.open(name).value
  return (
    <section class="list-pane" aria-label={t.list.label}>
      <header class="list-head">
        <h1>
          {title} {state === 'ready' && <small>{t.common.count(total, isEstimate)}</small>}
        </h1>
        <IconButton class="nav-open" icon="menu" label={t.nav.openMenu} onClick={onMenu} />
      </header>
      <div class="list-search">
        <Icon name="search" />
        <input
          id="search"
          class="input"
          type="search"
          aria-label={t.list.search}
          placeholder={t.list.search}
          value={name.search ?? ''}
          onInput={({ currentTarget: { value } }) => {
            clearTimeout(typing.current)
            typing.current = setTimeout(() => onSearch(value.trim()), typingMs)
          }}
          onKeyDown={(event) => {
            if (event.key === 'Escape') event.currentTarget.blur()
          }}
        />
      </div>
      <div class="list-rows">
        <Rows store={store} name={name} chosenId={chosenId} addressOf={addressOf} />
      </div>
    </section>
  )
}

type RowsProps = Pick<ConversationListProps, 'store' | 'name' | 'chosenId' | 'addressOf'>

function Rows({ store, name, chosenId, addressOf }: RowsProps): JSX.Element {
  const { ids, state, problem } = store.lists.open(name).value
  if (state === 'failed' && ids.length === 0) {
    return (
      <ProblemBox
        title={t.list.failed}
        sentence={problem?.sentence}
        requestId={problem?.requestId}
        onRetry={() => store.lists.reload(name)}
      />
    )
  }
  if (state === 'loading') return <SkeletonRows count={9} rowHeight={rowHeight} />
  if (ids.length === 0) {
    const [title, hint] = name.search ? t.list.nothingFound : t.list.empty[name.view]
    return <Empty title={title} hint={hint} />
  }
  return (
    <VirtualList
      label={t.list.label}
      ids={ids}
      rowHeight={rowHeight}
      chosenId={chosenId}
      onNearEnd={() => store.lists.more(name)}
      renderRow={(id) => (
        <ConversationRow store={store} id={id} isChosen={id === chosenId} address={addressOf(id)} />
      )}
    />
  )
}
