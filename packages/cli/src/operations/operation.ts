import type { Crm } from '@crmkit/sdk'
import type { Need } from '../profile/open-client.ts'

/** A field of a request that one option can give. */
export interface Field {
  /** As in the request, such as `firstName`. */
  readonly name: string
  readonly type: 'text' | 'integer' | 'moment' | 'flag' | 'list'
  /** The description of its option. */
  readonly text: string
  /** The word for its value in the help, such as `time`. */
  readonly value: string
  /** The only values that the field, or an item of the list, can have. */
  readonly choices?: readonly string[]
  readonly isRequired?: true
  /** Null empties it. */
  readonly isNullable?: true
}

/** An operation of the contract, as far as a command needs it. */
export interface Operation<Input, Reply> {
  /** The part of its id behind the area. */
  readonly name: string
  /** One line without a full stop. */
  readonly summary: string
  readonly need: Need
  /** The fields of the query or the body, without those of paging and those that are objects. */
  readonly fields: readonly Field[]
  /** The fields of a row of the reply; absent where the contract does not name them. */
  readonly reply?: readonly string[]
  /** The options of the contract's example of a request: `--title Thanks`. */
  readonly example?: string
  readonly send: (crm: Crm, id: string, input: Input) => PromiseLike<Reply>
}

/** The input of an operation without a query and a body. */
export type NoInput = Readonly<Record<never, never>>

/** Gives a generated operation the types of its request and its reply. */
export function operation<Input, Reply>(parts: Operation<Input, Reply>): Operation<Input, Reply> {
  return parts
}
