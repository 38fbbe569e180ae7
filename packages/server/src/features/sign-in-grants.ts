// The common parts of sign-ins at external CRMs and at providers of mailboxes: a state that only the person who started it can
// confirm, and a code that is exchanged once.
import { hash, randomBytes } from 'node:crypto'
import { notFound, validationFailure } from '@crmkit/core'
import { signInMinutes } from '@crmkit/core/vocabulary'
import type { SourceFailure } from '../ports/connector.ts'
import { isoTime } from '../shared/clock.ts'
import { isRefusal } from '../shared/reach-source.ts'
import { removalOf } from '../shared/removal-of.ts'
import type { SourceSignIn } from '../storage/kinds/source-sign-ins.ts'
import type { Stored, TenantId } from '../storage/records.ts'
import { userOf } from './caller.ts'
import type { HandlerContext, Outcome } from './handler.ts'
import { type SystemContext, type SystemRefusal, signedInOf } from './system-handler.ts'

const stateBytes = 32
/** Stands in the place of the code when the person has refused the access. No provider has an empty code. */
export const deniedCode = ''

interface Start extends Pick<SourceSignIn, 'provider'> {
  /** The path that the provider sends the browser to. */
  callbackPath: string
  /** The confirmation needs them. */
  details: Pick<SourceSignIn, 'name' | 'importSettings' | 'inboxId' | 'mailbox'>
  /** Returns the provider's page; undefined while the server has no client id for it. */
  authorizationUrl(of: { state: string; redirectUri: string }): string | undefined
  /** Where the request names the provider. */
  providerIn: 'path' | 'body'
}

interface Started {
  authorizationUrl: string
  state: string
  expiresAt: string
}

/** Starts a sign-in of this person. Throws VALIDATION_ERROR while the server has no client id. */
export function startSignIn(
  ctx: HandlerContext,
  { provider, callbackPath, details, authorizationUrl: urlOf, providerIn }: Start,
): { change: NonNullable<Outcome<never>['change']>; data: Started } {
  const { tenantId, ids, now, serviceUrl } = ctx
  const state = randomBytes(stateBytes).toString('base64url')
  const redirectUri = serviceUrl + callbackPath
  const authorizationUrl = urlOf({ state, redirectUri })
  if (authorizationUrl === undefined) {
    const message = 'needs a client id in the settings of the server'
    throw validationFailure([{ field: 'provider', message, rule: 'not_configured', in: providerIn }])
  }
  const expiresAt = isoTime(Date.parse(now) + signInMinutes * 60_000)
  const row: SourceSignIn = {
    ...details,
    _id: ids.next('ssi'),
    tenantId,
    userId: userOf(ctx)._id,
    provider,
    stateHash: hash('sha256', state),
    redirectUri,
    sealedCode: null,
    accountsServer: null,
    expiresAt,
    createdAt: now,
    updatedAt: now,
  }
  return {
    change: { writes: [{ op: 'insert', kind: 'sourceSignIns', row }], events: [] },
    data: { authorizationUrl, state, expiresAt },
  }
}

export interface GrantedSignIn {
  signIn: Stored<SourceSignIn>
  code: string
  /** Origin of the token endpoint that takes the code. */
  accountsServer: string
}

/**
 * Throws NOT_FOUND unless this person started the sign-in in this tenant, and its code waits for the confirmation; throws
 * VALIDATION_ERROR when the access was refused.
 */
export async function findGranted(
  ctx: SystemContext,
  { provider, state }: { provider: SourceSignIn['provider']; state: string },
): Promise<GrantedSignIn> {
  const { tenantId, actor } = signedInOf(ctx)
  const found = await ctx.system.across.signInStates.find(hash('sha256', state))
  if (found === undefined || found.tenantId !== tenantId) throw notFound()
  const { row: signIn } = found
  const { sealedCode, accountsServer } = signIn
  const isOwn = signIn.userId === actor._id && signIn.provider === provider
  if (!isOwn || signIn.expiresAt <= ctx.now || sealedCode === null || accountsServer === null)
    throw notFound()
  const code = ctx.services.secrets.open(sealedCode, { tenantId, id: signIn._id })
  if (code === deniedCode) {
    const message = 'was refused at the provider: start again'
    throw validationFailure([{ field: 'state', message, rule: 'denied', in: 'body' }])
  }
  return { signIn, code, accountsServer }
}

/** A refused code uses up the state. Throws VALIDATION_ERROR when the provider may respond later. */
export function refusedSignIn(
  tenantId: TenantId,
  { signIn, failure, who }: { signIn: Stored<SourceSignIn>; failure: SourceFailure; who: string },
): SystemRefusal {
  if (!isRefusal(failure)) {
    const message = `cannot be confirmed now: ${who} cannot be reached`
    throw validationFailure([{ field: 'state', message, rule: 'unreachable', in: 'body' }])
  }
  const message = `is refused by ${who}: start again`
  return {
    tenantId,
    change: { writes: [removalOf('sourceSignIns', signIn)], events: [] },
    refusal: validationFailure([{ field: 'state', message, rule: 'credentials', in: 'body' }]),
  }
}
