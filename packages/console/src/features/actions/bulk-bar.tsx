import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { chosenIn } from '../../store/selection.ts'
import type { Store } from '../../store/store.ts'
import type { ListName } from '../../store/views.ts'
import { more } from '../../strings/more.ts'
import { t } from '../../strings/strings.ts'
import { Button } from '../../ui/button.tsx'
import { showToast } from '../../ui/toasts.tsx'

/** In the sources of the part: a style sheet would be a part of the first load. */
const barStyle = {
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: '6px',
  padding: '8px 12px',
  borderBlockEnd: '1px solid var(--line)',
  background: 'var(--ground-raised)',
} as const
const textStyle = { flex: '1 1 100%' } as const

export type BulkDialog = 'bulkStatus' | 'bulkAssign' | 'bulkPriority' | 'bulkLabels' | 'bulkInbox'

interface BulkBarProps {
  readonly store: Store
  readonly list: ListName
  readonly open: (dialog: BulkDialog) => void
}

/** Changes the chosen conversations. */
export function BulkBar({ store, list, open }: BulkBarProps): JSX.Element | null {
  const chosen = chosenIn(store, list)
  const progress = store.selection.progress.value
  useEscape(store)
  if (chosen.length === 0 && progress === undefined) return null
  return (
    <section style={barStyle} aria-label={more.bulk.label}>
      <span style={textStyle} role="status">
        {progress ? more.bulk.progress(progress.done, progress.total) : more.bulk.chosen(chosen.length)}
      </span>
      {progress ? (
        <progress style={textStyle} aria-label={more.bulk.label} value={progress.done} max={progress.total} />
      ) : (
        <>
          <Button isSmall onClick={() => open('bulkStatus')}>
            {t.actions.status}
          </Button>
          <Button isSmall onClick={() => open('bulkAssign')}>
            {t.actions.assign}
          </Button>
          <Button isSmall onClick={() => open('bulkPriority')}>
            {t.actions.priority}
          </Button>
          <Button isSmall onClick={() => open('bulkLabels')}>
            {t.actions.label}
          </Button>
          <Button isSmall onClick={() => open('bulkInbox')}>
            {more.bulk.inbox}
          </Button>
          <ChooseAll store={store} list={list} count={chosen.length} />
          <Button kind="plain" isSmall onClick={() => store.selection.clear()}>
            {more.bulk.clear}
          </Button>
        </>
      )}
    </section>
  )
}

/** The rows that are not loaded yet are read first, so that each has its former values for an undo. */
function ChooseAll({
  store,
  list,
  count,
}: Omit<BulkBarProps, 'open'> & { readonly count: number }): JSX.Element | null {
  const [isReading, setIsReading] = useState(false)
  const { total, isEstimate } = store.lists.open(list).value
  if (total <= count) return null
  const choose = async () => {
    setIsReading(true)
    const { ids, problem } = await store.lists.readAll(list)
    setIsReading(false)
    if (problem) showToast(t.list.failed, { reason: problem })
    else store.selection.set(ids)
  }
  return (
    <Button kind="plain" isSmall isDisabled={isReading} onClick={() => void choose()}>
      {more.bulk.all(t.common.count(total, isEstimate))}
    </Button>
  )
}

/** Escape ends the choice, unless a dialog or a field needs it. */
function useEscape({ selection }: Store): void {
  useEffect(() => {
    const onKey = ({ key, target, defaultPrevented }: KeyboardEvent) => {
      const isField = target instanceof Element && target.closest('textarea, select, [type=search]') !== null
      if (key !== 'Escape' || defaultPrevented || isField || document.querySelector('dialog[open]')) return
      selection.clear()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}
