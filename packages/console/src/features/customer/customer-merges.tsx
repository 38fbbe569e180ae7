import type { CustomerDetails, CustomerMerge } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { nameOfUser } from '../../store/names.ts'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { t } from '../../strings/strings.ts'
import { exactTime, shortTime } from '../../strings/times.ts'
import { Button } from '../../ui/button.tsx'
import { chosenMerge } from './chosen-merge.ts'

interface CustomerMergesProps {
  readonly store: Store
  readonly customer: CustomerDetails
  /** Opens the dialog of the chosen merge. */
  readonly onUndo: () => void
}

/** The customers who were merged into this one lately, each with its way back. */
export function CustomerMerges({ store, customer, onUndo }: CustomerMergesProps): JSX.Element | null {
  const merges = useMerges(store, customer)
  if (merges.length === 0) return null
  return (
    <>
      <h3>{more.unmerge.heading}</h3>
      <ul class="addresses">
        {merges.map((merge) => (
          <li key={merge._id} class="dialog-buttons">
            <span dir="auto" title={exactTime(merge.mergedAt)}>
              {more.unmerge.merged(merge.sourceName, whoMerged(store, merge), shortTime(merge.mergedAt))}
            </span>
            <Button
              isSmall
              onClick={() => {
                chosenMerge.value = { customer, merge }
                onUndo()
              }}
            >
              {t.actions.undo}
              <span class="hidden-text">{more.unmerge.mergeOf(merge.sourceName)}</span>
            </Button>
          </li>
        ))}
      </ul>
    </>
  )
}

/** Each change of the customer may be a merge, or the end of one. Of most customers there is none to ask for. */
function useMerges(store: Store, { _id, updatedAt, hasMerges }: CustomerDetails): readonly CustomerMerge[] {
  const [found, setFound] = useState<{ of: string; merges: readonly CustomerMerge[] } | undefined>(undefined)
  useEffect(() => {
    let isOver = false
    if (!hasMerges) return setFound(undefined)
    store.crm.customers.merges(_id).then(
      (merges) => {
        if (!isOver) setFound({ of: _id, merges })
      },
      () => undefined,
    )
    return () => {
      isOver = true
    }
  }, [_id, updatedAt, hasMerges])
  return found?.of === _id ? found.merges : []
}

function whoMerged({ me, users }: Store, { mergedBy }: CustomerMerge): string {
  if (mergedBy?.type === 'apiKey') return more.unmerge.program
  if (mergedBy?._id === me._id) return more.unmerge.you
  const user = users.value.find(({ _id }) => _id === mergedBy?._id)
  return user ? nameOfUser(user) : t.thread.somebody
}
