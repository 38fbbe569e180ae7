import { Failure, isRoleAtLeast, type OperationAuth, type Permission } from '@crmkit/core'
import type { Actor, Caller } from '../../features/caller.ts'
import { assertWidgetUsable } from '../../features/widget/widget-inbox.ts'
import { isAddressIn } from '../../shared/address-block.ts'

/** Whether the caller may do this, from where they call. Throws PERMISSION_DENIED. */
export function authorize(auth: OperationAuth, actor: Caller, from: { readonly address: string }): void {
  if (auth.kind === 'widgetSession' || actor.type === 'visitor') {
    authorizeVisitor(auth, actor)
    return
  }
  if (actor.type === 'apiKey') {
    const { ipWhitelist } = actor.apiKey
    if (ipWhitelist.length > 0 && !isAddressIn(from.address, ipWhitelist)) {
      throw new Failure('PERMISSION_DENIED', 'This API key may not be used from this address')
    }
  }
  if (auth.kind === 'session') authorizeSession(auth.role, actor)
  if (auth.kind === 'anyOf') authorizeAny(auth.permissions, actor)
  if (auth.kind === 'sessionOrKey') {
    if (auth.role !== undefined && actor.type === 'user') authorizeSession(auth.role, actor)
    assertPermission(auth.permission, actor)
    for (const permission of auth.also ?? []) assertPermission(permission, actor)
  }
}

function authorizeAny(enough: readonly Permission[], { permissions }: Actor): void {
  if (enough.some((permission) => permissions.includes(permission))) return
  const required = enough.join(' or ')
  throw new Failure('PERMISSION_DENIED', `This needs the permission ${required}`, {
    extra: { required, granted: permissions },
  })
}

function assertPermission(required: Permission, { permissions }: Actor): void {
  if (permissions.includes(required)) return
  throw new Failure('PERMISSION_DENIED', `This needs the permission ${required}`, {
    extra: { required, granted: permissions },
  })
}

function authorizeSession(required: Parameters<typeof isRoleAtLeast>[1], actor: Actor): void {
  if (actor.type === 'apiKey') {
    throw new Failure('PERMISSION_DENIED', 'This needs a signed-in session; API keys are refused', {
      extra: { required: 'session', granted: actor.permissions },
    })
  }
  if (!isRoleAtLeast(actor.role, required)) {
    throw new Failure('PERMISSION_DENIED', `This needs the role ${required} or above`, {
      extra: { required, granted: actor.role },
    })
  }
}

/** Only the operations of the widget accept a visitor, and they accept nobody else. */
function authorizeVisitor(auth: OperationAuth, actor: Caller): void {
  if (actor.type !== 'visitor') {
    throw new Failure('PERMISSION_DENIED', 'This needs the session of a visitor of the chat widget', {
      extra: { required: 'widget session', granted: actor.permissions },
    })
  }
  if (auth.kind !== 'widgetSession') {
    throw new Failure('PERMISSION_DENIED', 'The session of a visitor is accepted by the chat widget alone', {
      extra: { required: 'an API key or a session', granted: actor.permissions },
    })
  }
  assertWidgetUsable(actor)
}
