import type { JSX } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'
import { type Problem, problemOf } from '../../api/problem.ts'
import { createView, deleteView, updateView } from '../../api/views.ts'
import { KeptForm } from '../../store/kept-form.ts'
import { mayEditView } from '../../store/roles.ts'
import type { Store } from '../../store/store.ts'
import { type ListName, savedOf } from '../../store/views.ts'
import { more } from '../../strings/more.ts'
import { Button } from '../../ui/button.tsx'
import { ReasonText } from '../../ui/states.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useFocus } from '../../ui/use-focus.ts'

interface ViewProps {
  readonly store: Store
  /** The list beside the dialog. */
  readonly list: ListName
  /** Otherwise the saved view of the list is changed. */
  readonly isNew: boolean
  /** Shows a saved view; undefined: the one that is shown was deleted. */
  readonly onOpen: (id: string | undefined) => void
  readonly onClose: () => void
}

/** Saves the list beside it as a view, or renames, shares and deletes the view that is shown: the inside of the dialog. */
export function ViewContent(props: ViewProps): JSX.Element | null {
  const { store, list, isNew } = props
  if (isNew) return <ViewForm {...props} />
  return mayEditView(store.me, list.saved) ? <ViewForm {...props} /> : null
}

interface Fields {
  readonly name: string
  readonly isShared: boolean
}

function ViewForm(props: ViewProps): JSX.Element {
  const { store, list, isNew, onOpen, onClose } = props
  const before: Fields = isNew
    ? { name: '', isShared: false }
    : { name: list.saved?.name ?? '', isShared: list.saved?.isShared ?? false }
  const kept = new KeptForm<Fields>(store.me._id, `view-${isNew ? 'new' : list.savedId}`)
  const [fields, setFields] = useState<Fields>(() => kept.read() ?? before)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem>()
  const first = useFocus(true)
  // Before the paint: an Escape right behind the last letter closes the dialog before an effect would run.
  useLayoutEffect(() => {
    if (fields.name === before.name && fields.isShared === before.isShared) kept.remove()
    else kept.put(fields)
  }, [fields])
  /** Does it, then shows the views as they are now. */
  const run = async (action: () => Promise<string>) => {
    setBusy(true)
    setProblem(undefined)
    try {
      const done = await action()
      kept.remove()
      // The change is stored, also when the list of the views cannot be read.
      await store.loadViews().catch(() => undefined)
      onClose()
      showToast(done)
    } catch (error) {
      setProblem(problemOf(error))
      setBusy(false)
    }
  }
  const save = async () => {
    const { crm } = store
    const saved =
      isNew || list.savedId === undefined
        ? await createView(crm, { ...fields, ...savedOf(list) })
        : await updateView(crm, list.savedId, fields)
    if (isNew) onOpen(saved._id)
    return more.views.saved(saved.name)
  }
  const remove = async () => {
    if (list.savedId !== undefined) await deleteView(store.crm, list.savedId)
    onOpen(undefined)
    return more.views.deleted(before.name)
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBusy) void run(save)
      }}
    >
      <label class="field">
        {more.views.name}
        <input
          class="input"
          dir="auto"
          required
          maxLength={100}
          ref={first}
          value={fields.name}
          onInput={({ currentTarget }) => setFields({ ...fields, name: currentTarget.value })}
        />
      </label>
      {store.me.role !== 'viewer' && (
        <label>
          <input
            type="checkbox"
            checked={fields.isShared}
            onChange={({ currentTarget }) => setFields({ ...fields, isShared: currentTarget.checked })}
          />{' '}
          {more.views.isShared}
        </label>
      )}
      <p class="hint">{isNew ? more.views.hint : more.views.sharedHint}</p>
      {problem && (
        <div class="field-error" role="alert">
          <ReasonText reason={problem} />
        </div>
      )}
      <p class="dialog-buttons">
        <Button kind="primary" type="submit" isDisabled={isBusy}>
          {more.views.save}
        </Button>
        {!isNew && <DeleteButton isShared={before.isShared} isBusy={isBusy} onDelete={() => run(remove)} />}
      </p>
    </form>
  )
}

/** Asks by its second press. */
function DeleteButton({
  isShared,
  isBusy,
  onDelete,
}: {
  readonly isShared: boolean
  readonly isBusy: boolean
  readonly onDelete: () => void
}): JSX.Element {
  const [isAsked, setAsked] = useState(false)
  return (
    <Button isDisabled={isBusy} onClick={isAsked ? onDelete : () => setAsked(true)}>
      {isAsked ? more.views.deleteNow(isShared) : more.views.delete}
    </Button>
  )
}
