import { idOf, type Row, rowsOf } from '../values.ts'

/** The facts of a ticket that its comments need. */
export interface CommentedTicket {
  readonly id: string
  readonly subject: string
  readonly requesterId: string | undefined
  /** The ids of those who get copies. */
  readonly copied: ReadonlySet<string>
  readonly requester: { readonly name: string | undefined; readonly address: string | undefined }
}

/** Users whom a response holds beside its list. */
export type Users = ReadonlyMap<string, Row>

export function usersOf(given: unknown): Users {
  return new Map(rowsOf(given).map((user) => [idOf(user['id']) ?? '', user]))
}
