import type { CreateView, View } from '@crmkit/sdk'
import { problemOf } from '../../api/problem.ts'
import { updateView } from '../../api/views.ts'
import type { Store } from '../../store/store.ts'
import { type ListName, savedOf } from '../../store/views.ts'
import { t } from '../../strings/strings.ts'
import { showToast } from '../../ui/toasts.tsx'

interface Replacement {
  readonly store: Store
  readonly list: ListName
  /** The view of the list, as it was before. */
  readonly saved: View
}

/** Puts the filter, the search and the order of a list in the place of those of its saved view. It can be undone. */
export async function replaceSaved({ store, list, saved }: Replacement, onDone: () => void): Promise<void> {
  const put = async (values: ReturnType<typeof savedOf>) => {
    try {
      await updateView(store.crm, saved._id, values)
    } catch (error) {
      showToast(t.actions.failed, { reason: problemOf(error) })
      return false
    }
    // The change is stored, also when the list of the views cannot be read.
    await store.loadViews().catch(() => undefined)
    return true
  }
  const undo = async () => {
    // The service gives words that it takes.
    const { filter, sort } = saved as Required<Pick<CreateView, 'filter' | 'sort'>>
    if (await put({ filter, sort })) showToast(t.actions.undone)
  }
  if (!(await put(savedOf(list)))) return
  onDone()
  showToast(t.list.updated(saved.name), { action: { text: t.actions.undo, run: () => void undo() } })
}
