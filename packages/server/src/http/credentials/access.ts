import type { IncomingMessage, ServerResponse } from 'node:http'
import { type AnyOperation, type InputOf, isOfWidget, type Operation } from '@crmkit/core'
import type { WidgetRequest } from '../../features/system-handler.ts'
import type { LimitState } from '../../ports/rate-limiter.ts'
import type { RequestLimits, Taken } from '../pipeline/rate-limit.ts'
import type { Cors } from '../response/cors.ts'
import type { Reply } from '../response/send-reply.ts'
import type { Authenticator } from './authenticate.ts'
import type { Authenticated } from './credential-kind.ts'
import { createVisitorAccess, createWidgetAccess, type WidgetAccessParts } from './widget-access.ts'

/** A request as far as the access to it is concerned. */
export interface Exchange {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  /** The caller's IP address. */
  readonly address: string
  /** The id in the path. */
  readonly resourceId: string | undefined
  /** The limit that the request was counted against; undefined before it was counted. */
  limit: LimitState | undefined
}

/**
 * The access of one kind of caller to the operations that are for it: its pages of other origins, preflight requests,
 * credential, rate limit and context. A request gets its access from its route, and pays for no other.
 */
export interface Access {
  /** Lets a page of another origin read the response. */
  allowOrigin?(exchange: Exchange): void
  /** Returns the response to a preflight request of a browser; undefined for every other request. */
  preflight?(req: IncomingMessage): Reply | undefined
  /** Returns the caller. Throws one of the 401 failures. Absent where no credential is asked for. */
  authenticate?(req: IncomingMessage): Authenticated | Promise<Authenticated>
  /** Counts the request against its limits. Returns a promise only when the counters are in another process. */
  take(exchange: Exchange, operation: AnyOperation, caller: Authenticated | undefined): Taken
  /** Throws PERMISSION_DENIED for the page of an authorized caller. */
  assertPage?(exchange: Exchange, caller: Authenticated): void
  /** Returns what the request names instead of a credential. */
  findContext?(exchange: Exchange, input: InputOf<AnyOperation>): Promise<WidgetRequest>
}

export interface AccessParts extends WidgetAccessParts {
  authenticator: Authenticator
  limits: RequestLimits
  /** Undefined where no page of another origin is let in. */
  cors: Cors | undefined
}

/** Returns the access of an operation; that of the team for a path that no operation has. */
export function createAccess(parts: AccessParts): (operation: AnyOperation | undefined) => Access {
  const { authenticator, limits, cors } = parts
  const open: Access = {
    ...cors,
    take: ({ address }, operation) => limits.takeAnonymous(address, operation),
  }
  const team: Access = {
    ...cors,
    authenticate: (req) => authenticator.authenticate(req),
    take: (exchange, operation, caller) => caller && limits.take(caller, operation, exchange.resourceId),
  }
  const [visitor, widget] = [createVisitorAccess(parts), createWidgetAccess(parts)]
  return (operation: Operation | undefined) => {
    if (operation === undefined) return team
    const isPublic = operation.auth.kind === 'none'
    if (isOfWidget(operation)) return isPublic ? widget : visitor
    return isPublic ? open : team
  }
}
