import { hash } from 'node:crypto'
import { environmentOfKey, Failure, isKeyExpired, isKeyText } from '@crmkit/core'
import type { Actor } from '../../features/caller.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Storage } from '../../ports/storage.ts'
import { isoTime } from '../../shared/clock.ts'
import type { ApiKeyRecord } from '../../storage/kinds/api-keys.ts'
import type { TenantId } from '../../storage/records.ts'
import type { RequestLimits } from '../pipeline/rate-limit.ts'
import { CredentialCache } from './credential-cache.ts'
import { type Authenticated, type CredentialKind, keyInvalid, suspended } from './credential-kind.ts'

interface KnownKey {
  tenantId: TenantId
  apiKey: ApiKeyRecord
  /** Built once for all requests until the key is loaded again. */
  caller: Authenticated
  isSuspended: boolean
}

interface Parts {
  storage: Storage
  clock: Clock
  environment: 'staging' | 'production'
  limits: Pick<RequestLimits, 'ofCredential'>
}

export function createApiKeys(parts: Parts): CredentialKind {
  const { clock, environment } = parts
  const keys = new CredentialCache<KnownKey>(clock, (keyHash) => loadKey(parts, keyHash))
  const finish = (found: KnownKey | undefined) => callerOfKey(found, clock.nowMs())
  return {
    cache: keys,
    forget: (tenantId) => keys.forget(tenantId),
    read(text) {
      if (!isKeyText(text)) throw keyInvalid()
      if (environment === 'production' && environmentOfKey(text) === 'staging') throw keyInvalid()
      const keyHash = hash('sha256', text)
      return {
        endsAtMs: undefined,
        caller() {
          const known = keys.get(keyHash)
          return known instanceof Promise ? known.then(finish) : finish(known)
        },
      }
    },
  }
}

function callerOfKey(known: KnownKey | undefined, nowMs: number): Authenticated {
  if (known === undefined) throw keyInvalid()
  const { apiKey, isSuspended, caller } = known
  if (!apiKey.isActive) throw new Failure('API_KEY_INACTIVE', 'The API key is deactivated')
  if (apiKey.expiresAt !== null && isKeyExpired(apiKey, isoTime(nowMs))) {
    throw new Failure('API_KEY_EXPIRED', 'The API key has expired')
  }
  if (isSuspended) throw suspended()
  return caller
}

async function loadKey({ storage, limits }: Parts, keyHash: string): Promise<KnownKey | undefined> {
  const found = await storage.system.across.keyHashes.find(keyHash)
  if (found === undefined) return undefined
  const { tenantId, row: apiKey } = found
  const tenant = await storage.system.findTenant(tenantId)
  const actor: Actor = { type: 'apiKey', _id: apiKey._id, apiKey, permissions: apiKey.permissions }
  const caller = {
    tenantId,
    actor,
    tenantLimits: tenant?.limits,
    limits: limits.ofCredential(tenantId, actor),
  }
  return tenant && { tenantId, apiKey, caller, isSuspended: tenant.isSuspended }
}
