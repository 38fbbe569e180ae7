import type { User } from '@crmkit/sdk'
import type { JSX, RefObject } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Draft } from '../../store/draft.ts'
import { edited, mentionable, mentionQuery, named, storedOf, withMention } from '../../store/mentions.ts'
import { nameOfUser } from '../../store/names.ts'
import type { Store } from '../../store/store.ts'
import { t } from '../../strings/strings.ts'
import { aboveStyle } from '../../ui/above.ts'

interface MessageFieldProps {
  readonly store: Store
  readonly field: RefObject<HTMLTextAreaElement | null>
  readonly draft: Draft
  readonly customerName: string
  readonly onText: (content: string) => void
  readonly onFocus: (hasFocus: boolean) => void
  readonly onFiles: (files: FileList | undefined) => void
  readonly onCannedReply: () => void
}

/** The text of the next message. An `@` in a note offers the colleagues, whose names then stand for their ids. */
export function MessageField(props: MessageFieldProps): JSX.Element {
  const { field, draft, onFocus, onCannedReply } = props
  const listId = useId()
  const { note, found, chosen, names, setCursor, type, take, onKey } = useMentions(props)
  const isOpen = found.length > 0
  const moveCursor = ({ currentTarget }: { readonly currentTarget: HTMLTextAreaElement }) =>
    setCursor(currentTarget.selectionEnd)
  return (
    <div style={{ position: 'relative' }}>
      <textarea
        ref={field}
        id="composer"
        aria-label={t.composer.label}
        aria-autocomplete={draft.type === 'note' ? 'list' : undefined}
        aria-controls={isOpen ? listId : undefined}
        aria-activedescendant={isOpen ? `${listId}-${chosen}` : undefined}
        placeholder={draft.type === 'note' ? t.composer.noteHint : t.composer.replyTo(props.customerName)}
        dir="auto"
        rows={3}
        maxLength={65_536}
        value={note.text}
        onInput={({ currentTarget }) => type(currentTarget)}
        onClick={moveCursor}
        onKeyUp={moveCursor}
        onFocus={() => onFocus(true)}
        onBlur={() => {
          onFocus(false)
          setCursor(undefined)
        }}
        onPaste={({ clipboardData }) => props.onFiles(clipboardData?.files)}
        onKeyDown={(event) => {
          // An input method takes its keys first, and some browsers say so by the number alone.
          if (event.isComposing || event.keyCode === 229 || onKey(event)) return
          if (event.key === 'Escape') event.currentTarget.blur()
          // As the first character of a message it asks for a canned reply.
          if (event.key !== '/' || draft.content !== '') return
          event.preventDefault()
          onCannedReply()
        }}
      />
      {isOpen && <Colleagues id={listId} users={found} chosen={chosen} onTake={take} />}
      <span class="hidden-text" role="status">
        {isOpen && t.composer.colleaguesFound(found.length)}
      </span>
      {names.length > 0 && (
        <p class="composer-recipients" style={{ paddingBlock: '4px 0' }} dir="auto">
          {t.composer.mentions(names.join(', '))}
        </p>
      )}
    </div>
  )
}

/** So many fit above the field on a phone. */
const offeredMax = 8

/** The mentions of the note, and the colleagues whom the text before the cursor asks for. */
function useMentions({ store, field, draft, onText }: MessageFieldProps) {
  const users = store.users.value
  const isNote = draft.type === 'note'
  const note = isNote ? named(draft.content, users) : { text: draft.content, places: [] }
  const [cursor, setCursor] = useState<number>()
  const [at, setAt] = useState(0)
  /** The place of the `@` whose list a person has closed. */
  const [closed, setClosed] = useState<number>()
  const nextCursor = useRef<number | undefined>(undefined)
  useLayoutEffect(() => {
    const next = nextCursor.current
    if (next === undefined) return
    nextCursor.current = undefined
    field.current?.setSelectionRange(next, next)
  })
  const query = isNote && cursor !== undefined ? mentionQuery(note, cursor) : undefined
  const offered =
    query === undefined || query.from === closed ? [] : mentionable(users, store.me._id, query.name)
  const found = offered.slice(0, offeredMax)
  const chosen = Math.min(at, found.length - 1)
  const take = (user: User) => {
    if (query === undefined || cursor === undefined) return
    const next = withMention(note, { from: query.from, to: cursor, user })
    nextCursor.current = next.cursor
    setCursor(next.cursor)
    onText(storedOf(next))
  }
  const onKey = (event: KeyboardEvent): boolean => {
    const { key, ctrlKey, metaKey, shiftKey, altKey } = event
    const user = found[chosen]
    if (user === undefined || ctrlKey || metaKey || shiftKey || altKey) return false
    const step = { ArrowDown: 1, ArrowUp: -1 }[key]
    if (step !== undefined) setAt((chosen + step + found.length) % found.length)
    else if (key === 'Enter' || key === 'Tab') take(user)
    else if (key === 'Escape') setClosed(query?.from)
    else return false
    event.preventDefault()
    return true
  }
  const type = ({ value, selectionEnd }: HTMLTextAreaElement) => {
    const next = isNote ? edited(note, value, selectionEnd) : { text: value, places: [] }
    if (mentionQuery(next, selectionEnd) === undefined) setClosed(undefined)
    setAt(0)
    setCursor(selectionEnd)
    onText(storedOf(next))
  }
  const names = [...new Set(note.places.map(({ from, to }) => note.text.slice(from + 1, to)))]
  return { note, found, chosen, names, setCursor, type, take, onKey }
}

interface ColleaguesProps {
  readonly id: string
  readonly users: readonly User[]
  readonly chosen: number
  readonly onTake: (user: User) => void
}

const listStyle = { ...aboveStyle, insetInlineStart: 0, width: 'min(340px, 100%)' } as const

function Colleagues({ id, users, chosen, onTake }: ColleaguesProps): JSX.Element {
  return (
    <div id={id} class="chooser-list" style={listStyle} role="listbox" aria-label={t.composer.colleagues}>
      {users.map((user, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys
        <div
          key={user._id}
          id={`${id}-${index}`}
          class="chooser-option"
          role="option"
          tabIndex={-1}
          aria-selected={index === chosen}
          // The field keeps the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onTake(user)}
        >
          <span dir="auto">{nameOfUser(user)}</span>
          {nameOfUser(user) !== user.email && <small>{user.email}</small>}
        </div>
      ))}
    </div>
  )
}
