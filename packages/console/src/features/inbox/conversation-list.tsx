import type { View } from '@crmkit/sdk'
import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { nameOfUser } from '../../store/names.ts'
import { mayEdit } from '../../store/roles.ts'
import type { Store } from '../../store/store.ts'
import { isUnknown, keyOf, type ListFilter, type ListName } from '../../store/views.ts'
import { t } from '../../strings/strings.ts'
import { shortTime } from '../../strings/times.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Empty, ProblemBox, SkeletonRows } from '../../ui/states.tsx'
import { VirtualList } from '../../ui/virtual-list.tsx'
import { ChooseRow, ConversationRow } from './conversation-row.tsx'
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
  readonly onFilter: () => void
  readonly onSaveView: () => void
  /** Puts the filter, the search and the order of the list in the place of those of its saved view. */
  readonly onUpdateView: (saved: View) => void
  readonly onEditView: () => void
  readonly onShowAll: () => void
  /** Shows the views on a narrow screen. */
  readonly onMenu: () => void
  /** Changes the chosen conversations. */
  readonly bar: ComponentChildren
}

export function ConversationList(props: ConversationListProps): JSX.Element {
  const { store, name, title, chosenId, addressOf, onSearch, onFilter, onMenu, bar } = props
  const typing = useRef<ReturnType<typeof setTimeout>>(undefined)
  const { total, isEstimate, state } = store.lists.open(name).value
  useEffect(() => store.selection.clear(), [keyOf(name)])
  return (
    <section class="list-pane" aria-label={t.list.label}>
      <header class="list-head">
        <h1>
          {title} {state === 'ready' && <small>{t.common.count(total, isEstimate)}</small>}
        </h1>
        <IconButton icon="filter" label={t.actions.filter} onClick={onFilter} />
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
      <div>
        <FilterLine {...props} />
        {bar}
      </div>
      <div class="list-rows">
        <Rows store={store} name={name} chosenId={chosenId} addressOf={addressOf} />
      </div>
    </section>
  )
}

/** Says how the list is narrowed, and leads to its saved view. */
function FilterLine(props: ConversationListProps): JSX.Element | null {
  const { store, name, onSaveView, onUpdateView, onEditView, onShowAll } = props
  const { filter, saved, search } = name
  const isNarrowed = filter !== undefined || Boolean(search)
  if (!isNarrowed && saved === undefined) return null
  return (
    <p class="list-filtered">
      <span dir="auto">
        {filter
          ? `${t.list.filtered} ${textOfFilter(store, filter)}`
          : saved && t.list.ofView(saved.isShared)}
      </span>
      {isNarrowed ? (
        <>
          {saved && mayEdit(store.me, saved) && (
            <Button isSmall onClick={() => onUpdateView(saved)}>
              {t.list.updateView}
            </Button>
          )}
          <Button isSmall onClick={onSaveView}>
            {saved ? t.list.saveAsNew : t.list.saveView}
          </Button>
        </>
      ) : (
        mayEdit(store.me, saved) && (
          <Button isSmall onClick={onEditView}>
            {t.list.editView}
          </Button>
        )
      )}
      {filter && (
        <Button isSmall onClick={onShowAll}>
          {t.list.showAll}
        </Button>
      )}
    </p>
  )
}

type RowsProps = Pick<ConversationListProps, 'store' | 'name' | 'chosenId' | 'addressOf'>

function Rows({ store, name, chosenId, addressOf }: RowsProps): JSX.Element {
  const { ids, state, problem } = store.lists.open(name).value
  if (isUnknown(name) && store.savedViews.value !== undefined) {
    const [title, hint] = t.list.noView
    return <Empty title={title} hint={hint} />
  }
  if (state === 'failed' && ids.length === 0) {
    return <ProblemBox title={t.list.failed} reason={problem} onRetry={() => store.lists.reload(name)} />
  }
  if (state === 'loading') return <SkeletonRows count={9} rowHeight={rowHeight} />
  if (ids.length === 0) {
    const [title, hint] = name.search
      ? t.list.nothingFound
      : name.filter || name.savedId
        ? t.list.nothingLeft
        : t.list.empty[name.view]
    return <Empty title={title} hint={hint} />
  }
  return (
    <VirtualList
      label={t.list.label}
      ids={ids}
      rowHeight={rowHeight}
      chosenId={chosenId}
      onNearEnd={() => store.lists.more(name)}
      renderRow={(id, tabIndex) => (
        <>
          {store.me.role !== 'viewer' && <ChooseRow store={store} ids={ids} id={id} />}
          <ConversationRow
            store={store}
            id={id}
            isChosen={id === chosenId}
            address={addressOf(id)}
            tabIndex={tabIndex}
          />
        </>
      )}
    />
  )
}

function textOfFilter(store: Store, filter: ListFilter): string {
  const { priority, channel, label, assignedTo, sort, createdSince, createdUntil } = filter
  const user = store.users.value.find(({ _id }) => _id === assignedTo)
  const texts = t.list.filters
  return [
    Reflect.get(texts, priority ?? ''),
    Reflect.get(t.channels, channel ?? ''),
    label,
    user ? nameOfUser(user) : assignedTo === 'none' ? t.actions.nobody : assignedTo,
    Reflect.get(texts, sort ?? ''),
    createdSince && `${shortTime(createdSince)} – ${createdUntil ? shortTime(createdUntil) : ''}`,
  ]
    .filter(Boolean)
    .join(' · ')
}
