import { hash } from 'node:crypto'
import { type confirmIntegration, notFound, validationFailure } from '@crmkit/core'
import { SourceFailure } from '../../ports/connector.ts'
import type { RemoteProvider } from '../../ports/connector-http.ts'
import { removalOf } from '../../shared/removal-of.ts'
import type { SourceSignIn } from '../../storage/kinds/source-sign-ins.ts'
import type { Stored, TenantId } from '../../storage/records.ts'
import {
  type SystemContext,
  type SystemHandler,
  type SystemOutcome,
  type SystemRefusal,
  signedInOf,
} from '../system-handler.ts'
import { connectAccount, type TriedAccount } from './connect-account.ts'
import { isRefusal, reachSource } from './reach-source.ts'

export const handleConfirmIntegration: SystemHandler<typeof confirmIntegration> = async (ctx, input) => {
  const { tenantId, actor } = signedInOf(ctx)
  const granted = await findGranted(ctx, { provider: input.params.provider, state: input.body.state })
  try {
    const account = await exchangedAccount(ctx, granted)
    const { name, importSettings } = granted.signIn
    const caller = { ids: ctx.ids, now: ctx.now, services: ctx.services, tenantId, actor }
    const store = ctx.forTenant(tenantId)
    const connected = await connectAccount({ ...caller, store }, { ...account, name, importSettings })
    return outcomeOf(tenantId, granted, connected)
  } catch (error) {
    if (!(error instanceof SourceFailure)) throw error
    return refused(tenantId, granted, error)
  }
}

interface Granted {
  signIn: Stored<SourceSignIn>
  code: string
  accountsServer: string
}

/** Throws NOT_FOUND unless this person started the sign-in in this tenant, and its code waits for the confirmation. */
async function findGranted(
  ctx: SystemContext,
  { provider, state }: { provider: RemoteProvider; state: string },
): Promise<Granted> {
  const { tenantId, actor } = signedInOf(ctx)
  const found = await ctx.system.across.signInStates.find(hash('sha256', state))
  if (found === undefined || found.tenantId !== tenantId) throw notFound()
  const { row: signIn } = found
  const { sealedCode, accountsServer } = signIn
  const isOwn = signIn.userId === actor._id && signIn.provider === provider
  if (!isOwn || signIn.expiresAt <= ctx.now || sealedCode === null || accountsServer === null)
    throw notFound()
  const code = ctx.services.secrets.open(sealedCode, { tenantId, id: signIn._id })
  return { signIn, code, accountsServer }
}

/** Exchanges the code and reads the account. Throws a `SourceFailure`. */
async function exchangedAccount(
  { services: { sources } }: SystemContext,
  { signIn, code, accountsServer }: Granted,
): Promise<TriedAccount> {
  const { tenantId, provider, redirectUri } = signIn
  const received = { tenantId, code, redirectUri, accountsServer }
  const { tokens: granted, apiDomain } = await reachSource((signal) =>
    sources.signIns[provider].exchange({ ...received, signal }),
  )
  const account = { provider, tenantId, apiDomain, accountsServer, tokens: granted }
  const { connection, tokens } = sources.openNew(account)
  try {
    const identity = await reachSource((signal) => connection.identify(signal))
    return { ...account, identity, tokens: await tokens.read() }
  } finally {
    await connection.close()
  }
}

function outcomeOf(
  tenantId: TenantId,
  { signIn }: Granted,
  { isNew, integration, change }: Awaited<ReturnType<typeof connectAccount>>,
): SystemOutcome<typeof confirmIntegration> {
  const used = removalOf('sourceSignIns', signIn)
  return {
    tenantId,
    change: { ...change, writes: [...change.writes, used] },
    audit: {
      action: isNew ? 'integration.created' : 'integration.updated',
      target: { type: 'integration', _id: integration._id },
      ...(!isNew && { changed: ['credentials'] }),
    },
    ...(!isNew && { status: 200 }),
    reply: { success: true, data: integration },
  }
}

/** A refused code uses up the state. Throws VALIDATION_ERROR when the source may respond later. */
function refused(tenantId: TenantId, { signIn }: Granted, failure: SourceFailure): SystemRefusal {
  if (!isRefusal(failure)) {
    const message = 'cannot be confirmed now: the source cannot be reached'
    throw validationFailure([{ field: 'state', message, rule: 'unreachable', in: 'body' }])
  }
  const message = 'is refused by the source: start again'
  return {
    tenantId,
    change: { writes: [removalOf('sourceSignIns', signIn)], events: [] },
    refusal: validationFailure([{ field: 'state', message, rule: 'credentials', in: 'body' }]),
  }
}
