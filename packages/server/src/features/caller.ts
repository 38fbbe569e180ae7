import type { Operation, Permission, Role } from '@crmkit/core'
import type { ApiKeyRecord } from '../storage/kinds/api-keys.ts'
import type { InboxRecord } from '../storage/kinds/inboxes.ts'
import type { UserRecord } from '../storage/kinds/users.ts'
import type { WidgetSession } from '../storage/kinds/widget-sessions.ts'
import type { Stored } from '../storage/records.ts'

/** A member of the team or a program, after authentication. */
export type Actor =
  | {
      type: 'user'
      _id: string
      user: Stored<UserRecord>
      sessionId: string
      role: Role
      permissions: readonly Permission[]
    }
  | { type: 'apiKey'; _id: string; apiKey: ApiKeyRecord; permissions: readonly Permission[] }

/** A visitor of a chat widget. Its session may be ten seconds old: read it again before a write. */
export interface Visitor {
  type: 'visitor'
  /** The session's. */
  _id: string
  session: WidgetSession
  inbox: InboxRecord
  isSuspended: boolean
  /** None: only the operations of the widget accept a visitor. */
  permissions: readonly Permission[]
}

/** The caller of a request, after authentication. */
export type Caller = Actor | Visitor

/** The callers that an operation accepts. */
export type CallerOf<O extends Operation> = O['auth'] extends { readonly kind: 'widgetSession' }
  ? Visitor
  : Actor

/** Returns the signed-in user of an operation that API keys cannot call. */
export function userOf(ctx: { readonly actor: Actor }): Extract<Actor, { type: 'user' }> {
  if (ctx.actor.type !== 'user') throw new Error('This operation is declared for sessions')
  return ctx.actor
}
