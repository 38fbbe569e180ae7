import type { Random } from '../faults/support/random.ts'
import type { Model } from './model.ts'
import type { Walker } from './walker.ts'

/** One step as a value: what was done, with rows by their names, so that a list of steps can be read, shortened and run again. */
export interface Step {
  readonly n: number
  readonly do: string
  readonly with: Arguments
}

// biome-ignore lint/suspicious/noExplicitAny: each kind of step has arguments of its own
export type Arguments = any

/** A name that was not found counts as nothing. */
type Nothing = '' | undefined

export interface Choosing {
  readonly random: Random
  readonly model: Model
}

/** One thing that can be done: how often, with which arguments in a state, and the rules of the contract for it. */
export interface StepKind {
  readonly weight: number
  /** Nothing: in this state there is none of what it needs. */
  choose(choosing: Choosing): Arguments | Nothing
  run(walker: Walker, given: Arguments, n: number): Promise<void>
}

/** A kind of step; the compiler works out its arguments. */
export function stepKind<Given extends object>(kind: {
  weight: number
  choose(choosing: Choosing): Given | Nothing
  run(walker: Walker, given: Given, n: number): Promise<void>
}): StepKind {
  return kind
}

interface Named {
  readonly name: string
  isGone: boolean
}

/** One of the rows; now and then one that is deleted. Undefined where there is none. */
export function pickName({ random }: Choosing, rows: ReadonlyMap<string, Named>): string | undefined {
  const all = [...rows.values()]
  const isDeadAsked = random.isOneIn(15)
  const some = all.filter(({ isGone }) => isGone === isDeadAsked)
  // The newest half of the time: what is old was looked at often.
  const near = random.isOneIn(2) ? some.slice(-8) : some
  return near.length === 0 ? undefined : random.pick(near).name
}

export function maybe<T>(random: Random, count: number, make: () => T): T | undefined {
  return random.isOneIn(count) ? make() : undefined
}

export const words = ['vip', 'Billing', 'NEW', 'späť', 'x']
