import type { Committed } from '../ports/storage.ts'
import type { Kind } from '../storage/kinds/registry.ts'

/** A part that a commit may hold: writes of a kind, an erasure of any kind, events, new deliveries. */
export type CommitPart = Kind | 'erasure' | 'domainEvents' | 'deliveries'

type Listener = (commit: Committed) => void

/** Calls each listener once for a commit that holds one of its parts: a commit pays for no other. */
export class CommitListeners {
  readonly #byPart = new Map<CommitPart, Listener[]>()

  add(parts: readonly CommitPart[], listener: Listener): void {
    for (const part of parts) this.#byPart.set(part, [...(this.#byPart.get(part) ?? []), listener])
  }

  readonly notify: Listener = (commit) => {
    const due = new Set<Listener>()
    const note = (part: CommitPart) => {
      for (const listener of this.#byPart.get(part) ?? []) due.add(listener)
    }
    for (const { kind, op } of commit.change.writes) {
      note(kind)
      if (op === 'erase') note('erasure')
    }
    if (commit.change.events.length > 0) note('domainEvents')
    if (commit.deliveries > 0) note('deliveries')
    for (const listener of due) listener(commit)
  }
}
