import type { ComponentChildren, JSX, RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

interface VirtualListProps {
  readonly label: string
  readonly ids: readonly string[]
  /** CSS pixels: all rows have the same height. */
  readonly rowHeight: number
  /** The row that stays in view when the keys move it. */
  readonly chosenId: string | undefined
  /** The row with the `tabIndex` 0 is the only stop of the Tab key; arrows lead to the others. */
  readonly renderRow: (id: string, tabIndex: 0 | -1) => ComponentChildren
  /** Called when the end comes near. */
  readonly onNearEnd: () => void
}

const spareRows = 6

/** A list of which only the visible rows exist in the page. */
export function VirtualList(props: VirtualListProps): JSX.Element {
  const { label, ids, rowHeight, chosenId, renderRow, onNearEnd } = props
  const ref = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ top: 0, height: 800 })
  useLayoutEffect(() => {
    const box = ref.current
    if (box === null) return
    const measure = () => setView({ top: box.scrollTop, height: box.clientHeight })
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(box)
    return () => observer.disconnect()
  }, [])
  const first = Math.max(0, Math.floor(view.top / rowHeight) - spareRows)
  const last = Math.min(ids.length, Math.ceil((view.top + view.height) / rowHeight) + spareRows)
  const isNearEnd = last >= ids.length - spareRows
  useEffect(() => {
    if (isNearEnd) onNearEnd()
  }, [isNearEnd, ids.length])
  const show = (at: number) => {
    const box = ref.current
    if (box === null || at < 0) return
    const top = at * rowHeight
    if (top < box.scrollTop) box.scrollTop = top
    else if (top + rowHeight > box.scrollTop + box.clientHeight)
      box.scrollTop = top + rowHeight - box.clientHeight
  }
  useLayoutEffect(() => show(chosenId === undefined ? -1 : ids.indexOf(chosenId)), [chosenId])
  const shown = ids.slice(first, last)
  const { stop, setStop, onKeyDown } = useArrows({ ref, ids, shown, chosenId, show })
  useFocusOnChosen(ref, chosenId)
  return (
    <div
      ref={ref}
      class="virtual-list"
      onScroll={({ currentTarget }) =>
        setView({ top: currentTarget.scrollTop, height: currentTarget.clientHeight })
      }
    >
      <ul aria-label={label} onKeyDown={onKeyDown} style={{ height: `${ids.length * rowHeight}px` }}>
        {shown.map((id, index) => (
          <li
            key={id}
            onFocusIn={() => setStop(id)}
            aria-setsize={ids.length}
            aria-posinset={first + index + 1}
            style={{ top: `${(first + index) * rowHeight}px`, height: `${rowHeight}px` }}
          >
            {renderRow(id, id === stop ? 0 : -1)}
          </li>
        ))}
      </ul>
    </div>
  )
}

interface ArrowParts {
  readonly ref: RefObject<HTMLElement | null>
  readonly ids: readonly string[]
  /** The ids of the rows that exist in the page. */
  readonly shown: readonly string[]
  readonly chosenId: string | undefined
  /** Scrolls to a row. */
  readonly show: (at: number) => void
}

/** One row is the stop of the Tab key: the one that had the focus last, else the chosen one, else the first in the page. */
function useArrows({ ref, ids, shown, chosenId, show }: ArrowParts) {
  const [last, setStop] = useState<string | undefined>(undefined)
  const wanted = useRef<string>(undefined)
  useLayoutEffect(() => setStop(undefined), [chosenId])
  const stop = [last, chosenId].find((id) => id !== undefined && shown.includes(id)) ?? shown[0]
  useLayoutEffect(() => {
    // A row far away exists only after the list was scrolled to it.
    if (wanted.current === undefined || wanted.current !== stop) return
    wanted.current = undefined
    ref.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true })
  })
  const onKeyDown = (event: KeyboardEvent) => {
    const at = stop === undefined ? -1 : ids.indexOf(stop)
    const end = ids.length - 1
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: end }[event.key]
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    const next = Math.min(Math.max(to, 0), end)
    wanted.current = ids[next]
    setStop(ids[next])
    show(next)
  }
  return { stop, setStop, onKeyDown }
}

/** The focus goes along with the choice, so that a screen reader says what was chosen; never away from somewhere else. */
function useFocusOnChosen(ref: RefObject<HTMLElement | null>, chosenId: string | undefined): void {
  const before = useRef(chosenId)
  useLayoutEffect(() => {
    const { activeElement, body } = document
    const isFree = activeElement === body || ref.current?.contains(activeElement)
    const row = ref.current?.querySelector<HTMLElement>('[aria-current]')
    if (before.current !== chosenId && isFree) row?.focus({ preventScroll: true })
    before.current = chosenId
  }, [chosenId])
}
