import type { AnyOperation, InputOf, Operation } from '@crmkit/core'
import type { Visitor } from '../../features/caller.ts'
import type { WidgetRequest } from '../../features/system-handler.ts'
import { assertWidgetUsable, getWidgetInbox } from '../../features/widget/widget-inbox.ts'
import type { Storage } from '../../ports/storage.ts'
import type { Authenticator } from '../credentials/authenticate.ts'
import { assertOrigin, type OriginParts } from '../credentials/widget-origins.ts'
import type { Incoming } from './incoming.ts'
import { type RequestLimits, tooManyRequests } from './rate-limit.ts'

interface Parts extends OriginParts {
  storage: Pick<Storage, 'system'>
  authenticator: Authenticator
  limits: RequestLimits
}

/**
 * Returns the inbox that a public request of the chat widget names. Throws NOT_FOUND for an unknown key, and
 * PERMISSION_DENIED for a page that the inbox does not allow and while the widget is switched off.
 */
export async function findWidgetRequest(
  parts: Parts,
  incoming: Incoming,
  { operation, input }: { operation: AnyOperation; input: InputOf<AnyOperation> },
): Promise<WidgetRequest | undefined> {
  const { auth }: Operation = operation
  if (auth.kind !== 'none' || auth.pages !== 'widget') return undefined
  const { key } = { ...input.query, ...(input.body as object) } as { key: string }
  const { tenantId, tenantLimits, inbox, isSuspended } = await getWidgetInbox(parts.storage.system, key)
  assertOrigin(parts, incoming, inbox)
  assertWidgetUsable({ inbox, isSuspended })
  let counted: Promise<void> | undefined
  return {
    tenantId,
    tenantLimits,
    inbox,
    visitor: await findVisitor(parts, incoming),
    countSession: (of) => {
      // The handler runs again after a conflict, and the request is counted once.
      counted ??= countSession(parts, incoming, of)
      return counted
    },
  }
}

/** A session that has ended, or another credential, is no error: the request does not need one. */
async function findVisitor({ authenticator }: Parts, { req }: Incoming): Promise<Visitor | undefined> {
  if (req.headers.authorization === undefined) return undefined
  try {
    const { actor } = await authenticator.authenticate(req)
    return actor.type === 'visitor' ? actor : undefined
  } catch {
    return undefined
  }
}

async function countSession(
  { limits }: Parts,
  incoming: Incoming,
  of: Parameters<RequestLimits['takeWidgetSession']>[0],
): Promise<void> {
  const state = await limits.takeWidgetSession(of)
  incoming.limit = state
  if (state?.isRefused) throw tooManyRequests(state)
}
