import { Failure } from '@crmkit/core'
import type { Caller } from '../../features/caller.ts'
import type { RateLimit } from '../../ports/rate-limiter.ts'
import type { TenantLimits } from '../../storage/kinds/tenants.ts'
import type { TenantId } from '../../storage/records.ts'
import type { CredentialCache } from './credential-cache.ts'

export interface Authenticated {
  tenantId: TenantId
  actor: Caller
  /** The limits of the tenant that differ from the defaults. */
  tenantLimits: TenantLimits | undefined
  /** The rate limits of this credential. */
  limits: readonly RateLimit[]
}

/** A credential as its text says it. Its caller is asked anew for each request. */
export interface Credential {
  /** Returns the caller of now. Throws one of the 401 failures. */
  caller(): Authenticated | Promise<Authenticated>
  /** When the text itself ends, ms since 1970; undefined for a text without an end. */
  readonly endsAtMs: number | undefined
}

/** One kind of credential. */
export interface CredentialKind {
  /** Reads a text of this kind. Throws one of the 401 failures. */
  read(text: string): Credential
  /** Forgets the cached credentials of this tenant; null: of every tenant. */
  forget(tenantId: TenantId | null): void
  readonly cache: CacheUse
}

export type CacheUse = Readonly<Pick<CredentialCache<never>, 'hits' | 'misses'>>

export function authRequired(message: string): Failure {
  return new Failure('AUTH_REQUIRED', message, { headers: { 'WWW-Authenticate': 'Bearer' } })
}

export function keyInvalid(): Failure {
  return new Failure('API_KEY_INVALID', 'The API key is not valid')
}

export function suspended(): Failure {
  return new Failure('TENANT_SUSPENDED', 'The tenant account is suspended')
}
