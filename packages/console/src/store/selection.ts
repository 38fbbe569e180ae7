import { type Signal, signal } from '@preact/signals'
import type { Store } from './store.ts'
import type { ListName } from './views.ts'

const none: ReadonlySet<string> = new Set()

/** The conversations of the shown list that a person has chosen for one change. */
export class Selection {
  readonly ids: Signal<ReadonlySet<string>> = signal(none)
  /** How far a change of many has come; undefined while there is none. */
  readonly progress: Signal<{ readonly done: number; readonly total: number } | undefined> = signal(undefined)
  #last: string | undefined

  /** Chooses a conversation, or no longer. */
  toggle(id: string): void {
    const next = new Set(this.ids.peek())
    if (!next.delete(id)) next.add(id)
    this.ids.value = next
    this.#last = id
  }

  /** Chooses all from the last one to this one, in the order of the list. */
  extend(list: readonly string[], id: string): void {
    const from = this.#last === undefined ? -1 : list.indexOf(this.#last)
    const to = list.indexOf(id)
    const range = from < 0 || to < 0 ? [id] : list.slice(Math.min(from, to), Math.max(from, to) + 1)
    this.ids.value = new Set([...this.ids.peek(), ...range])
    this.#last = id
  }

  set(ids: readonly string[]): void {
    this.ids.value = new Set(ids)
  }

  clear(): void {
    this.ids.value = none
    this.#last = undefined
  }
}

/** The chosen ones in the order of their list. One that has left the list is not chosen: nobody sees it there any more. */
export function chosenIn({ lists, selection }: Pick<Store, 'lists' | 'selection'>, name: ListName): string[] {
  const chosen = selection.ids.value
  return chosen.size === 0 ? [] : lists.open(name).value.ids.filter((id) => chosen.has(id))
}
