import { Failure, validationFailure } from '@crmkit/core'
import type { Write } from '../ports/change.ts'
import type { Identity } from '../storage/kinds/identities.ts'
import type { Stored } from '../storage/records.ts'
import { type SystemContext, signedInOf } from './system-handler.ts'

/** One failure for an unknown e-mail and a wrong password: it reveals neither. */
export function wrongPassword(): Failure {
  return new Failure('AUTH_REQUIRED', 'The e-mail or the password is wrong')
}

interface Given {
  /** `normalizeEmail` of an e-mail. */
  email: string
  password: string
  identities: readonly Stored<Identity>[]
  /** Whether the password may belong to none of them. */
  mayDiffer: boolean
}

interface MatchedPassword {
  /** The identities with this password. */
  matching: readonly Stored<Identity>[]
  /** The hash of the password, with the salt of the identities. */
  passwordHash: string
}

/**
 * Returns the identities with the given password. Counts a failed attempt when no identity has it; an e-mail without
 * identities does the same work. Throws RATE_LIMIT_EXCEEDED.
 */
export async function matchPassword(
  { services, address }: Pick<SystemContext, 'services' | 'address'>,
  { email, password, identities, mayDiffer }: Given,
): Promise<MatchedPassword> {
  const identityIds = identities.map(({ _id }) => _id)
  let passwordHash = ''
  let matching: readonly Stored<Identity>[] = []
  await services.attempts.make({ account: email, address, identityIds }, async (tried) => {
    const candidates = identities.filter(({ _id }) => tried.identityIds.includes(_id))
    const hashes = candidates.map((identity) => identity.passwordHash)
    const compared = await services.passwords.compare(password, hashes, tried.caller)
    passwordHash = compared.hash
    matching = candidates.filter((_, index) => compared.isRight[index])
    const isNew = mayDiffer && identities.length === 0
    return { isFailure: matching.length === 0 && !isNew, rightIds: matching.map(({ _id }) => _id) }
  })
  return { matching, passwordHash }
}

/** Returns the identity of the signed-in user. Throws VALIDATION_ERROR when the password is not theirs. */
export async function assertOwnPassword(ctx: SystemContext, password: string): Promise<Stored<Identity>> {
  const { actor } = signedInOf(ctx)
  const identity = await ctx.system.findIdentity(actor.user.identityId)
  if (identity === undefined) throw new Failure('AUTH_REQUIRED', 'This user is no longer a member')
  const given = { email: identity.email, password, identities: [identity], mayDiffer: false }
  const { matching } = await matchPassword(ctx, given)
  if (matching.length > 0) return identity
  throw validationFailure([
    { field: 'currentPassword', message: 'is not the password', rule: 'mismatch', in: 'body' },
  ])
}

type NewIdentity = Pick<Identity, '_id' | 'email' | 'passwordHash'>

/**
 * Returns the first identity of an e-mail. When two are created at once, the second commit conflicts, runs again and
 * finds the first.
 */
export function insertFirst(made: NewIdentity, now: string): HeldIdentity {
  const identity = newIdentity(made, now)
  return { identity, writes: [{ op: 'insert', kind: 'identities', row: identity }] }
}

/**
 * Returns another identity of an e-mail, with the salt of an existing one. The commit conflicts when that one is
 * deleted at the same moment, so that all identities of an e-mail share one salt.
 */
export function insertSeparate(made: NewIdentity, beside: Stored<Identity>, now: string): HeldIdentity {
  const identity: Identity = { ...newIdentity(made, now), isSeparate: true }
  return {
    identity,
    writes: [hold(beside), { op: 'insert', kind: 'identities', row: identity }],
  }
}

export interface HeldIdentity {
  identity: Identity
  writes: Write<'identities'>[]
}

/**
 * Returns an existing identity. The commit fails when its password changes or its last membership is deleted
 * meanwhile.
 */
export function holdIdentity(stored: Stored<Identity>): HeldIdentity {
  const { version: _version, ...identity } = stored
  return { identity, writes: [hold(stored)] }
}

function hold({ _id: id, version: expectVersion }: Stored<Identity>): Write<'identities'> {
  return { op: 'update', kind: 'identities', id, expectVersion, set: {} }
}

function newIdentity(made: NewIdentity, now: string): Identity {
  return { ...made, passwordGeneration: 1, passwordChangedBy: null, createdAt: now, updatedAt: now }
}
