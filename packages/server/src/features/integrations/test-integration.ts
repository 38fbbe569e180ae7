import { notFound, type ReplyOf, type testIntegration } from '@crmkit/core'
import { SourceFailure } from '../../ports/connector.ts'
import type { Connectors } from '../../ports/connectors.ts'
import { doorWrites } from '../../shared/note-door.ts'
import { reachSource } from '../../shared/reach-source.ts'
import type { IntegrationRecord } from '../../storage/kinds/integrations.ts'
import type { Handler } from '../handler.ts'

type Tested = Omit<ReplyOf<typeof testIntegration>['data'], 'checkedAt'>

export const handleTestIntegration: Handler<typeof testIntegration> = async (ctx, { params: { id } }) => {
  const { store, now, services } = ctx
  const row = await store.integrations.find(id)
  if (row === undefined) throw notFound()
  const tested =
    row.provider === 'file' || row.provider === 'package'
      ? testedFiles(row)
      : await testAccount(services.sources, row)
  const reply = { success: true as const, data: { ...tested, checkedAt: now } }
  if (tested.error?.code !== 'REAUTH_REQUIRED' || row.reauthRequired) return { reply }
  // The test may have replaced tokens, so the row is read again.
  const { version: expectVersion, autoSync } = (await store.integrations.find(id)) ?? row
  const set = {
    reauthRequired: true,
    autoSync: { ...autoSync, enabled: false, nextRunAt: null },
    updatedAt: now,
  }
  const trouble = { reason: tested.error.message, isSignInRefused: true }
  const noted = await doorWrites(store, { door: 'source', of: id }, { trouble, now })
  return {
    change: {
      writes: [{ op: 'update', kind: 'integrations', id, expectVersion, set }, ...noted],
      events: [],
    },
    audit: { action: 'integration.reauth_required', target: { type: 'integration', _id: id } },
    reply,
  }
}

/** Files are on this server: there is no account to reach. */
function testedFiles({ accountId, name }: IntegrationRecord): Tested {
  return { ok: true, account: { id: accountId, name, email: null }, modules: [], error: null }
}

async function testAccount(sources: Connectors, row: IntegrationRecord): Promise<Tested> {
  const connection = sources.open(row)
  try {
    return await reachSource(async (signal) => {
      const { id, name, email } = await connection.identify(signal)
      const modules = (await connection.modules?.(signal)) ?? []
      return { ok: true, account: { id, name, email }, modules: [...modules], error: null }
    })
  } catch (error) {
    if (!(error instanceof SourceFailure)) throw error
    const isRefused = error.kind === 'auth'
    return {
      ok: false,
      account: null,
      modules: [],
      error: isRefused
        ? { code: 'REAUTH_REQUIRED', message: 'The source refuses the credentials: connect it again' }
        : { code: 'SOURCE_ERROR', message: error.message },
    }
  } finally {
    await connection.close()
  }
}
