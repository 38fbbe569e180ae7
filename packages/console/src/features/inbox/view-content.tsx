import type { JSX } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'
import { createView, deleteView, updateView } from '../../api/views.ts'
import { KeptForm } from '../../store/kept-form.ts'
import { mayEdit } from '../../store/roles.ts'
import type { Store } from '../../store/store.ts'
import { type ListName, savedOf } from '../../store/views.ts'
import { more } from '../../strings/more.ts'
import { Button } from '../../ui/button.tsx'
import { DeleteButton, ProblemText, useSending } from '../../ui/sending.tsx'
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
  return mayEdit(store.me, list.saved) ? <ViewForm {...props} /> : null
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
  const { isSending, problem, send } = useSending()
  const first = useFocus(true)
  // Before the paint: an Escape right behind the last letter closes the dialog before an effect would run.
  useLayoutEffect(() => {
    if (fields.name === before.name && fields.isShared === before.isShared) kept.remove()
    else kept.put(fields)
  }, [fields])
  const finish = async () => {
    kept.remove()
    // The change is stored, also when the list of the views cannot be read.
    await store.loadViews().catch(() => undefined)
    onClose()
  }
  const save = async () => {
    const { crm } = store
    const saved =
      isNew || list.savedId === undefined
        ? await createView(crm, { ...fields, ...savedOf(list) })
        : await updateView(crm, list.savedId, fields)
    if (isNew) onOpen(saved._id)
    await finish()
  }
  const remove = async () => {
    if (list.savedId !== undefined) await deleteView(store.crm, list.savedId)
    onOpen(undefined)
    await finish()
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        send(save, more.views.saved(fields.name))
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
      <ProblemText problem={problem} />
      <p class="dialog-buttons">
        <Button kind="primary" type="submit" isDisabled={isSending}>
          {more.views.save}
        </Button>
        {!isNew && (
          <DeleteButton
            label={more.views.delete}
            sure={more.views.deleteNow(before.isShared)}
            isDisabled={isSending}
            onDelete={() => send(remove, more.views.deleted(before.name))}
          />
        )}
      </p>
    </form>
  )
}
