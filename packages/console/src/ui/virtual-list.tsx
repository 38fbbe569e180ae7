import type { ComponentChildren, JSX, RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

interface VirtualListProps {
  readonly label: string
  readonly ids: readonly string[]
  /** CSS pixels: all rows have the same height. */
  readonly rowHeight: number
  /** The row that stays in view when the keys move it. */
  readonly chosenId: string | undefined
  readonly renderRow: (id: string) => ComponentChildren
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
  const chosenAt = chosenId === undefined ? -1 : ids.indexOf(chosenId)
  useLayoutEffect(() => {
    const box = ref.current
    if (box === null || chosenAt < 0) return
    const top = chosenAt * rowHeight
    if (top < box.scrollTop) box.scrollTop = top
    else if (top + rowHeight > box.scrollTop + box.clientHeight)
      box.scrollTop = top + rowHeight - box.clientHeight
  }, [chosenId])
  useFocusOnChosen(ref, chosenId)
  return (
    <div
      ref={ref}
      class="virtual-list"
      onScroll={({ currentTarget }) =>
        setView({ top: currentTarget.scrollTop, height: currentTarget.clientHeight })
      }
    >
      <ul aria-label={label} style={{ height: `${ids.length * rowHeight}px` }}>
        {ids.slice(first, last).map((id, index) => (
          <li
            key={id}
            aria-setsize={ids.length}
            aria-posinset={first + index + 1}
            style={{ top: `${(first + index) * rowHeight}px`, height: `${rowHeight}px` }}
          >
            {renderRow(id)}
          </li>
        ))}
      </ul>
    </div>
  )
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
