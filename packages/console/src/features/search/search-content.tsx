import type { SearchResults } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { type Problem, problemOf } from '../../api/problem.ts'
import { searchEverything } from '../../api/search.ts'
import { KeptForm } from '../../store/kept-form.ts'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { navigate } from '../../ui/navigation.ts'
import { useFocus } from '../../ui/use-focus.ts'
import { groupsOf, type Hit, type HitGroup, recentGroup } from './hits.tsx'
import { styles } from './search-styles.ts'

interface SearchProps {
  readonly store: Store
  readonly addressOf: (conversationId: string) => string
  readonly onClose: () => void
}

/** Milliseconds after the last key before a search begins. */
const typingMs = 150
const recentMax = 8
const lengthMax = 200

/** The search over everything: the inside of its dialog. */
export function SearchContent({ store, addressOf, onClose }: SearchProps): JSX.Element {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const field = useFocus(true)
  const list = useRef<HTMLDivElement>(null)
  const listId = useId()
  const recent = useRecent(store)
  const { results, problem } = useSearch(store, text.trim())
  const groups: readonly HitGroup[] =
    text.trim() === '' ? recentGroup(recent.texts) : results ? groupsOf(results, store) : []
  const hits = groups.flatMap((group) => group.hits)
  const chosen = Math.min(at, hits.length - 1)
  useLayoutEffect(() => {
    field.current?.closest('dialog')?.style.setProperty('width', styles.width)
  }, [])
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  })
  const type = (typed: string) => {
    setText(typed)
    setAt(0)
  }
  const take = (hit: Hit | undefined, inNewTab: boolean) => {
    if (hit === undefined) return
    if ('text' in hit.opens) {
      type(hit.opens.text)
      field.current?.focus()
      return
    }
    recent.keep(text.trim())
    const address = addressOf(hit.opens.conversationId)
    if (inNewTab) return void window.open(address, '_blank', 'noopener')
    onClose()
    navigate(address)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) setAt((chosen + step + hits.length) % Math.max(1, hits.length))
    else if (event.key === 'Enter') take(hits[chosen], event.metaKey || event.ctrlKey)
    else return
    event.preventDefault()
  }
  let index = 0
  return (
    <div>
      <input
        ref={field}
        class="input"
        role="combobox"
        aria-label={more.search.label}
        aria-expanded={hits.length > 0}
        aria-controls={listId}
        aria-activedescendant={chosen < 0 ? undefined : `${listId}-${chosen}`}
        placeholder={more.search.label}
        maxLength={lengthMax}
        value={text}
        onInput={({ currentTarget }) => type(currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div id={listId} ref={list} style={styles.list} role="listbox" aria-label={more.search.found}>
        {groups.map(({ title, hits: own }) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options is no fieldset
          <div key={title} role="group" aria-label={title}>
            <div style={styles.group} aria-hidden="true">
              {title}
            </div>
            {own.map((hit) => {
              const place = index++
              return (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys
                <div
                  key={hit.key}
                  id={`${listId}-${place}`}
                  class="chooser-option"
                  style={styles.option}
                  role="option"
                  tabIndex={-1}
                  aria-selected={place === chosen}
                  onClick={({ metaKey, ctrlKey }) => take(hit, metaKey || ctrlKey)}
                  onMouseMove={() => setAt(place)}
                >
                  {hit.content}
                </div>
              )
            })}
          </div>
        ))}
      </div>
      <p class="empty" role="status">
        {stateOf({ text: text.trim(), hits: hits.length, results, problem })}
      </p>
    </div>
  )
}

interface State {
  readonly text: string
  readonly hits: number
  readonly results: SearchResults | undefined
  readonly problem: Problem | undefined
}

/** The sentence below the hits, which a screen reader says by itself. */
function stateOf({ text, hits, results, problem }: State): string {
  if (text === '') return more.search.hint
  if (problem !== undefined) return problem.sentence
  if (results === undefined) return more.search.searching
  const isPartial = Object.values(results.isPartial).some(Boolean)
  if (hits === 0) return isPartial ? more.search.partial : more.search.nothing(text)
  return isPartial ? more.search.partial : more.search.count(hits)
}

/** The results of a text; those of the text before stay until they are there. */
function useSearch({ crm }: Store, text: string) {
  const [found, setFound] = useState<{ results?: SearchResults; problem?: Problem }>({})
  useEffect(() => {
    if (text === '') {
      setFound({})
      return
    }
    const stop = new AbortController()
    const timer = setTimeout(() => {
      searchEverything(crm, text, stop.signal).then(
        (results) => !stop.signal.aborted && setFound({ results }),
        (error) => !stop.signal.aborted && setFound({ problem: problemOf(error) }),
      )
    }, typingMs)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [text])
  return { results: found.results, problem: found.problem }
}

/** The last searches of the user in this browser. A user belongs to one tenant, and a sign-out deletes them. */
function useRecent({ me }: Store) {
  const kept = new KeptForm<string[]>(me._id, 'searches')
  const read = () => (kept.read() ?? []).filter((text) => typeof text === 'string').slice(0, recentMax)
  const [texts] = useState(read)
  return {
    texts,
    keep: (text: string) => kept.put([text, ...read().filter((one) => one !== text)].slice(0, recentMax)),
  }
}
