import { hash } from 'node:crypto'
import { deniedCode } from '../../../features/sign-in-grants.ts'
import type { Change } from '../../../ports/change.ts'
import type { SecretBox } from '../../../ports/secret-box.ts'
import type { TenantReads } from '../../../ports/storage.ts'
import type { SystemStore } from '../../../ports/system-store.ts'
import { nameOfUser } from '../../../shared/name-of-user.ts'
import { removalOf } from '../../../shared/removal-of.ts'
import type { SourceSignIn } from '../../../storage/kinds/source-sign-ins.ts'
import type { Stored, TenantId } from '../../../storage/records.ts'

interface CallbackContext {
  system: Pick<SystemStore, 'across' | 'findTenant'>
  forTenant(id: TenantId): Pick<TenantReads, 'users'>
  secrets: SecretBox
  now: string
}

export type SignInProvider = SourceSignIn['provider']

interface Callback {
  provider: SignInProvider
  query: URLSearchParams
  /** The token endpoint that the callback names; undefined when requests may not go there. */
  accountsServer: string | undefined
}

/** The facts that the page of a callback shows. The account is not among them: nobody knows it before the exchange. */
export interface ParkedGrant {
  isDenied: boolean
  /** Host of the server that takes the code. */
  host: string
  tenantName: string
  /** Name or address of the person who started the sign-in. */
  startedBy: string
}

export interface CallbackOutcome {
  /** Undefined: the sign-in is unknown, over or answered already, or the callback is not allowed. */
  grant: ParkedGrant | undefined
  change?: Change
  tenantId?: TenantId
}

const stateLengthMax = 200
const codeLengthMax = 2_000

/** Parks the code of a callback for the confirmation. It calls nobody. */
export async function receiveCode(
  ctx: CallbackContext,
  { provider, query, accountsServer }: Callback,
): Promise<CallbackOutcome> {
  const found = await findWaiting(ctx, { provider, query })
  if (found === undefined) return { grant: undefined }
  const { tenantId, signIn } = found
  const used: Change = { writes: [removalOf('sourceSignIns', signIn)], events: [] }
  if (accountsServer === undefined) return { grant: undefined, change: used, tenantId }
  const shown = { ...(await describeStart(ctx, found)), host: new URL(accountsServer).host }
  const isDenied = query.has('error')
  const code = isDenied ? deniedCode : (query.get('code') ?? '')
  if ((code === '' && !isDenied) || code.length > codeLengthMax) return { grant: undefined }
  const sealedCode = ctx.secrets.seal(code, { tenantId, id: signIn._id })
  const { _id: id, version: expectVersion } = signIn
  const set = { sealedCode, accountsServer, updatedAt: ctx.now }
  return {
    grant: { ...shown, isDenied },
    change: { writes: [{ op: 'update', kind: 'sourceSignIns', id, expectVersion, set }], events: [] },
    tenantId,
  }
}

interface FoundSignIn {
  tenantId: TenantId
  tenantName: string
  signIn: Stored<SourceSignIn>
}

/** Returns the sign-in of the state while it waits for its first callback. */
async function findWaiting(
  { system, now }: CallbackContext,
  { provider, query }: Pick<Callback, 'provider' | 'query'>,
): Promise<FoundSignIn | undefined> {
  const state = query.get('state') ?? ''
  if (state === '' || state.length > stateLengthMax) return undefined
  const found = await system.across.signInStates.find(hash('sha256', state))
  if (found === undefined) return undefined
  const { row: signIn, tenantId } = found
  if (signIn.provider !== provider || signIn.expiresAt <= now || signIn.sealedCode !== null) return undefined
  const tenant = await system.findTenant(tenantId)
  if (tenant === undefined || tenant.isSuspended) return undefined
  return { tenantId, tenantName: tenant.name, signIn }
}

async function describeStart(
  { forTenant }: CallbackContext,
  { tenantId, tenantName, signIn }: FoundSignIn,
): Promise<Pick<ParkedGrant, 'tenantName' | 'startedBy'>> {
  const user = await forTenant(tenantId).users.find(signIn.userId)
  const startedBy = user ? (nameOfUser(user) ?? user.email) : 'a person who has left'
  return { tenantName, startedBy }
}
