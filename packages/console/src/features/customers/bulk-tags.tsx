import type { Customer } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { changeTags } from '../../api/customers.ts'
import { type Problem, problemOf } from '../../api/problem.ts'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { Button } from '../../ui/button.tsx'
import { ReasonText } from '../../ui/states.tsx'
import { styles } from './customers-styles.ts'

interface BulkTagsProps {
  readonly store: Store
  readonly ids: readonly string[]
  readonly onChanged: (changed: ReadonlyMap<string, Customer>) => void
  readonly onClear: () => void
}

/** Adds a tag to the chosen customers, or removes one. */
export function BulkTags({ store, ids, onChanged, onClear }: BulkTagsProps): JSX.Element {
  const [text, setText] = useState('')
  const [isBusy, setIsBusy] = useState(false)
  const [state, setState] = useState<{ text?: string; problem?: Problem }>({})
  const tag = text.trim()
  const change = async (body: { addTags: string[] } | { removeTags: string[] }) => {
    setIsBusy(true)
    try {
      const rows = await changeTags(store.crm, { ids, ...body })
      onChanged(new Map(rows.flatMap(({ customer }) => (customer ? [[customer._id, customer]] : []))))
      const count = (result: string) => rows.filter((row) => row.result === result).length
      setState({ text: more.customers.bulk.done(count('changed'), count('failed')) })
      setText('')
    } catch (error) {
      setState({ problem: problemOf(error) })
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <form
      style={styles.bar}
      aria-label={more.customers.bulk.label}
      onSubmit={(event) => {
        event.preventDefault()
        if (tag) void change({ addTags: [tag] })
      }}
    >
      <span>{more.customers.bulk.chosen(ids.length)}</span>
      <input
        class="input"
        style={styles.input}
        aria-label={more.customers.bulk.tag}
        placeholder={more.customers.bulk.tag}
        maxLength={64}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Button type="submit" isSmall isDisabled={!tag || isBusy}>
        {more.customers.bulk.add}
      </Button>
      <Button isSmall isDisabled={!tag || isBusy} onClick={() => void change({ removeTags: [tag] })}>
        {more.customers.bulk.remove}
      </Button>
      <Button kind="plain" isSmall onClick={onClear}>
        {more.customers.bulk.clear}
      </Button>
      <div role="status">{state.problem ? <ReasonText reason={state.problem} /> : state.text}</div>
    </form>
  )
}
