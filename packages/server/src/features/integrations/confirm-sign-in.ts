import type { confirmIntegration } from '@crmkit/core'
import { SourceFailure } from '../../ports/connector.ts'
import type { RemoteProvider } from '../../ports/connector-http.ts'
import { reachSource } from '../../shared/reach-source.ts'
import { removalOf } from '../../shared/removal-of.ts'
import type { TenantId } from '../../storage/records.ts'
import { findGranted, type GrantedSignIn, refusedSignIn } from '../sign-in-grants.ts'
import { type SystemContext, type SystemHandler, type SystemOutcome, signedInOf } from '../system-handler.ts'
import { connectAccount, connectedNote, type TriedAccount } from './connect-account.ts'

export const handleConfirmIntegration: SystemHandler<typeof confirmIntegration> = async (ctx, input) => {
  const { tenantId, actor } = signedInOf(ctx)
  const { provider } = input.params
  const granted = await findGranted(ctx, { provider, state: input.body.state })
  try {
    const account = await exchangedAccount(ctx, { provider, ...granted })
    const { name, importSettings } = granted.signIn
    const caller = { ids: ctx.ids, now: ctx.now, services: ctx.services, tenantId, actor }
    const store = ctx.forTenant(tenantId)
    const connected = await connectAccount({ ...caller, store }, { ...account, name, importSettings })
    return outcomeOf(tenantId, granted, connected)
  } catch (error) {
    if (!(error instanceof SourceFailure)) throw error
    return refusedSignIn(tenantId, { signIn: granted.signIn, failure: error, who: 'the source' })
  }
}

/** Exchanges the code and reads the account. Throws a `SourceFailure`. */
async function exchangedAccount(
  { services: { sources } }: SystemContext,
  { signIn, provider, code, accountsServer }: GrantedSignIn & { provider: RemoteProvider },
): Promise<TriedAccount> {
  const { tenantId, redirectUri } = signIn
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
  { signIn }: GrantedSignIn,
  { isNew, integration, change }: Awaited<ReturnType<typeof connectAccount>>,
): SystemOutcome<typeof confirmIntegration> {
  const used = removalOf('sourceSignIns', signIn)
  return {
    tenantId,
    change: { ...change, writes: [...change.writes, used] },
    audit: connectedNote(isNew, integration._id),
    ...(!isNew && { status: 200 }),
    reply: { success: true, data: integration },
  }
}
