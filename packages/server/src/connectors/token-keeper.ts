import { SourceFailure, type SourceTokens, type TokenKeeper } from '../ports/connector.ts'
import type { SecretBox } from '../ports/secret-box.ts'
import type { Storage } from '../ports/storage.ts'
import { VersionConflict } from '../storage/errors.ts'
import type { TenantId } from '../storage/records.ts'

interface KeeperParts {
  storage: Pick<Storage, 'forTenant'>
  secrets: SecretBox
}

interface IntegrationId {
  tenantId: TenantId
  integrationId: string
}

/** Makes the keepers of stored tokens. All keepers of one integration in this process share a refresh under way. */
export function createTokenKeepers({ storage, secrets }: KeeperParts) {
  const refreshes = new Map<string, Promise<SourceTokens>>()
  return (of: IntegrationId): TokenKeeper => {
    const stored = new StoredTokens({ storage, secrets }, of)
    const key = `${of.tenantId} ${of.integrationId}`
    return {
      read: () => stored.read().then(({ tokens }) => tokens),
      replace: (used, refresh) => {
        const running = refreshes.get(key)
        if (running !== undefined) return running
        const started = stored.replace(used, refresh).finally(() => refreshes.delete(key))
        refreshes.set(key, started)
        return started
      },
    }
  }
}
export type TokenKeepers = ReturnType<typeof createTokenKeepers>

/** Keeps tokens that are not stored yet, while credentials are tried. */
export function createHeldTokens(initial: SourceTokens): TokenKeeper {
  let held = initial
  return {
    read: async () => held,
    replace: async (_used, refresh) => {
      held = await refresh(held)
      return held
    },
  }
}

class StoredTokens {
  readonly #parts: KeeperParts
  readonly #of: IntegrationId
  constructor(parts: KeeperParts, of: IntegrationId) {
    this.#parts = parts
    this.#of = of
  }

  get #store() {
    return this.#parts.storage.forTenant(this.#of.tenantId)
  }

  /** Throws an `auth` failure when the integration or its credentials were removed. */
  async read() {
    const row = await this.#store.integrations.find(this.#of.integrationId)
    if (!row?.sealed) throw new SourceFailure('auth', 'The integration has no credentials')
    return { row, sealed: row.sealed, tokens: openTokens(this.#parts.secrets, row) }
  }

  async replace(
    used: SourceTokens,
    refresh: (current: SourceTokens) => Promise<SourceTokens>,
  ): Promise<SourceTokens> {
    const before = await this.read()
    if (before.tokens.accessToken !== used.accessToken) return before.tokens
    const tokens = await refresh(before.tokens)
    const { tenantId, integrationId: id } = this.#of
    const sealed = this.#parts.secrets.seal(JSON.stringify(tokens), { tenantId, id })
    for (let current = before; ; current = await this.read()) {
      // Another process has refreshed them at the same time, or a person has connected again.
      if (current.sealed !== before.sealed) return current.tokens
      const { version: expectVersion } = current.row
      try {
        await this.#store.commit({
          writes: [{ op: 'update', kind: 'integrations', id, expectVersion, set: { sealed } }],
          events: [],
        })
        return tokens
      } catch (error) {
        // The progress of a run changes the row too.
        if (!(error instanceof VersionConflict)) throw error
      }
    }
  }
}

/** Throws when the row was changed outside the service or its key is missing. */
function openTokens(
  secrets: SecretBox,
  row: { tenantId: string; _id: string; sealed: string | null },
): SourceTokens {
  return JSON.parse(secrets.open(row.sealed ?? '', { tenantId: row.tenantId, id: row._id }))
}
