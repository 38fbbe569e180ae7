import { type AnyOperation, type Permission, permissions, roles } from '@crmkit/core'
import { expect } from 'vitest'
import { type Call, type CallResponse, call } from '../support/call.ts'
import { mayCall } from './access.ts'
import { type Sample, samples } from './samples.ts'
import type { SmallWorld, TenantWorld } from './world.ts'

/** A credential of a tenant, with a name for the report of a failure. */
export interface Credential {
  name: string
  token: string
  isEnough: boolean
}

/**
 * Every credential of a tenant: each role's session, a key with each single permission, with all, and with all
 * but one; and whether it is enough for the operation.
 */
export function credentialsOf({ id, auth }: AnyOperation, world: TenantWorld): Credential[] {
  if (auth.kind === 'none') return []
  const key = (name: string, token: string, granted: readonly Permission[]): Credential => ({
    name: `a key with ${name}`,
    token,
    isEnough: mayCall(id, granted),
  })
  return [
    ...roles.map((role) => ({
      name: `a session of role ${role}`,
      token: world.tokens[role],
      isEnough: mayCall(id, role),
    })),
    ...permissions.map((permission) => key(permission, world.keys[permission], [permission])),
    ...permissions.map((permission) =>
      key(
        `all but ${permission}`,
        world.keysWithout[permission],
        permissions.filter((other) => other !== permission),
      ),
    ),
    key('every permission', world.keyWithAll, permissions),
    { name: 'the session of a visitor', token: world.visitorToken, isEnough: mayCall(id, 'visitor') },
  ]
}

/** The credentials that are enough; for a public operation, no credential at all. */
export function sufficientTokens(operation: AnyOperation, world: TenantWorld): (string | undefined)[] {
  if (operation.auth.kind === 'none') return [undefined]
  return credentialsOf(operation, world)
    .filter((credential) => credential.isEnough)
    .map(({ token }) => token)
}

/** A session and, where keys are accepted, a key, both with enough permissions. */
export function strongestTokens({ id, auth }: AnyOperation, world: SmallWorld): (string | undefined)[] {
  if (auth.kind === 'none') return [undefined]
  if (auth.kind === 'widgetSession') return [world.visitorToken]
  // Of this tenant, the admin has a deletion request.
  if (id === 'privacy.cancelDeletion') return [world.tokens.admin]
  return auth.kind === 'session' ? [world.tokens.owner] : [world.tokens.owner, world.keyWithAll]
}

export function requestOf(
  operation: AnyOperation,
  { params = {}, query, body, form, headers }: Sample,
): Call {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  )
  return {
    method: operation.method,
    path: query ? `${path}?${query}` : path,
    body,
    form,
    ...(headers && { headers }),
  }
}

/** A request that the operation accepts, with the strongest credential. */
export function goodRequest(operation: AnyOperation, world: SmallWorld): Call {
  const token = strongestTokens(operation, world)[0]
  return { ...requestOf(operation, samples[operation.id](world)), ...(token !== undefined && { token }) }
}

/** Sends requests and counts them. */
export function createCaller(url: () => string) {
  const caller = {
    cells: 0,
    send(operation: AnyOperation, sample: Sample, token: string | undefined): Promise<CallResponse> {
      caller.cells += 1
      return call(url(), { ...requestOf(operation, sample), token })
    },
  }
  return caller
}

export const withoutRequestId = ({ body: { requestId: _id, ...body } }: CallResponse) => body

/** One detail of a 422. */
export const problem = {
  field: expect.any(String),
  message: expect.any(String),
  rule: expect.any(String),
  in: expect.any(String),
}
