import type { CustomerNote } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { readNotes, removeNote, rewriteNote, writeNote } from '../../api/customers.ts'
import { type Problem, problemOf } from '../../api/problem.ts'
import { KeptForm } from '../../store/kept-form.ts'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { t } from '../../strings/strings.ts'
import { exactTime, shortTime } from '../../strings/times.ts'
import { Button } from '../../ui/button.tsx'
import { ProblemBox, SkeletonRows } from '../../ui/states.tsx'
import { styles } from './customers-styles.ts'

interface CustomerNotesProps {
  readonly store: Store
  readonly customerId: string
}

const lengthMax = 20_000

/** The notes of the team about a customer. A text that is not stored yet stays in this browser. */
export function CustomerNotes({ store, customerId }: CustomerNotesProps): JSX.Element {
  const { crm, me } = store
  const kept = new KeptForm<string>(me._id, `note-${customerId}`)
  const [notes, setNotes] = useState<readonly CustomerNote[] | undefined>(undefined)
  const [problem, setProblem] = useState<Problem | undefined>(undefined)
  const [text, setText] = useState(() => kept.read() ?? '')
  const [edited, setEdited] = useState<{ note: CustomerNote; text: string } | undefined>(undefined)
  const [isBusy, setIsBusy] = useState(false)
  const attempt = async (work: () => Promise<unknown>) => {
    setIsBusy(true)
    try {
      await work()
      setNotes(await readNotes(crm, customerId))
      setProblem(undefined)
    } catch (error) {
      setProblem(problemOf(error))
    } finally {
      setIsBusy(false)
    }
  }
  useEffect(() => void attempt(async () => undefined), [customerId])
  useChanges(store, customerId, () => void readNotes(crm, customerId).then(setNotes, () => undefined))
  const type = (typed: string) => {
    setText(typed)
    kept.put(typed)
  }
  const mayChange = ({ author }: CustomerNote) =>
    me.role !== 'viewer' && (author._id === me._id || me.role === 'admin' || me.role === 'owner')
  return (
    <>
      {me.role !== 'viewer' && (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            void attempt(async () => {
              await writeNote(crm, customerId, text)
              type('')
            })
          }}
        >
          <textarea
            class="input"
            style={styles.area}
            rows={3}
            aria-label={more.customers.notes.label}
            placeholder={more.customers.notes.label}
            maxLength={lengthMax}
            value={text}
            onInput={({ currentTarget }) => type(currentTarget.value)}
          />
          <Button type="submit" isSmall isDisabled={isBusy || text.trim() === ''}>
            {more.customers.notes.add}
          </Button>
        </form>
      )}
      {problem && <ProblemBox title={more.customers.failed} reason={problem} />}
      {notes === undefined && !problem && <SkeletonRows count={2} rowHeight={48} />}
      {notes?.length === 0 && <p>{more.customers.notes.none}</p>}
      {notes?.map((note) => (
        <article key={note._id} style={styles.note}>
          <span style={styles.soft} title={exactTime(note.createdAt)}>
            <span dir="auto">{note.author.name ?? t.common.unknownPerson}</span> · {shortTime(note.createdAt)}
          </span>
          {edited?.note._id === note._id ? (
            <textarea
              class="input"
              style={styles.area}
              rows={3}
              aria-label={more.customers.notes.change}
              maxLength={lengthMax}
              value={edited.text}
              onInput={({ currentTarget }) => setEdited({ note: edited.note, text: currentTarget.value })}
            />
          ) : (
            <p style={styles.text} dir="auto">
              {note.content}
            </p>
          )}
          {mayChange(note) && (
            <NoteButtons
              isEdited={edited?.note._id === note._id}
              isBusy={isBusy}
              onEdit={() => setEdited({ note, text: note.content })}
              onCancel={() => setEdited(undefined)}
              onSave={() =>
                void attempt(async () => {
                  if (edited) await rewriteNote(crm, edited.note, edited.text)
                  setEdited(undefined)
                })
              }
              onDelete={() => void attempt(() => removeNote(crm, note))}
            />
          )}
        </article>
      ))}
    </>
  )
}

/** Calls back when somebody has changed the notes of the customer, or events were missed. */
function useChanges(store: Store, customerId: string, onChange: () => void): void {
  const changed = store.changedNotes.value
  const heard = store.heard.value
  const missed = heard.event === undefined ? heard : undefined
  const isFirst = useRef(true)
  useEffect(() => {
    if (!isFirst.current && (changed?.customerId === customerId || missed)) onChange()
    isFirst.current = false
  }, [changed, missed])
}

interface NoteButtonsProps {
  readonly isEdited: boolean
  readonly isBusy: boolean
  readonly onEdit: () => void
  readonly onCancel: () => void
  readonly onSave: () => void
  readonly onDelete: () => void
}

function NoteButtons(props: NoteButtonsProps): JSX.Element {
  const { isEdited, isBusy } = props
  const words = more.customers.notes
  return (
    <span>
      <Button isSmall isDisabled={isBusy} onClick={isEdited ? props.onSave : props.onEdit}>
        {isEdited ? words.save : words.edit}
      </Button>{' '}
      <Button kind="plain" isSmall isDisabled={isBusy} onClick={isEdited ? props.onCancel : props.onDelete}>
        {isEdited ? words.cancel : words.delete}
      </Button>
    </span>
  )
}
