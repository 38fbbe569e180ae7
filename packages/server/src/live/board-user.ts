import type { ViewCount } from '@crmkit/core'
import type { CountedUser } from '../features/conversations/counted-views.ts'

const marksMax = 1_000

/** How far a user has read a conversation. */
interface ReadMark {
  readSeq: number
  /** `seq` of the conversation at that time: the log may not have come so far. */
  asOf: number
}

/** The last marks of a user, as far as the log may be behind them. */
class ReadMarks extends Map<string, ReadMark> {
  /** Forgets the oldest ones: the log is never so far behind. */
  override set(conversationId: string, mark: ReadMark): this {
    this.delete(conversationId)
    if (this.size >= marksMax) this.delete(this.keys().next().value ?? '')
    return super.set(conversationId, mark)
  }
}

/** A user with a stream, and the conversations that the user has not read. */
export class BoardUser {
  readonly _id: string
  readonly createdAt: string
  streams = 1
  /** Drafts of the user that were to be sent and were not. */
  unsent: Pick<ViewCount, 'total' | 'isEstimate'> = { total: 0, isEstimate: false }
  /** Notes that mention the user, who has not read them. */
  mentions: Pick<ViewCount, 'total' | 'isEstimate'> = { total: 0, isEstimate: false }
  /** The number of unread conversations in each view. */
  readonly unread = new Map<string, number>()
  readonly marks = new ReadMarks()
  readonly #unread = new Set<string>()

  constructor({ _id, createdAt }: CountedUser) {
    this._id = _id
    this.createdAt = createdAt
  }

  isUnread(conversationId: string): boolean {
    return this.#unread.has(conversationId)
  }

  mark(conversationId: string, isUnread: boolean): void {
    if (isUnread) this.#unread.add(conversationId)
    else this.#unread.delete(conversationId)
  }
}
