import { type Problem, validationFailure } from '../contract/failure.ts'
import type { ApiKey, CreateApiKeyBody, UpdateApiKeyBody } from './api-key.ts'
import type { NewKeyText } from './api-key-text.ts'

interface Making {
  id: string
  tenantId: string
  createdBy: string
  text: NewKeyText
  now: string
}

export function newApiKey(body: CreateApiKeyBody, { id, tenantId, createdBy, text, now }: Making): ApiKey {
  assertSettings(body, now)
  return {
    _id: id,
    tenantId,
    name: body.name,
    environment: body.environment ?? 'production',
    permissions: body.permissions,
    keyPrefix: text.keyPrefix,
    keyHint: text.keyHint,
    isActive: true,
    expiresAt: body.expiresAt ?? null,
    rotationPolicy: body.rotationPolicy ?? null,
    rateLimit: body.rateLimit ?? null,
    ipWhitelist: body.ipWhitelist ?? [],
    createdBy,
    lastUsedAt: null,
    revokedAt: null,
    createdAt: now,
    updatedAt: now,
  }
}

function kept<T>(given: T | undefined, before: T): T {
  return given === undefined ? before : given
}

export function updatedApiKey(before: ApiKey, body: UpdateApiKeyBody, now: string): ApiKey {
  assertSettings(body, now)
  const isActive = kept(body.isActive, before.isActive)
  return {
    ...before,
    name: kept(body.name, before.name),
    permissions: kept(body.permissions, before.permissions),
    isActive,
    expiresAt: kept(body.expiresAt, before.expiresAt),
    rotationPolicy: kept(body.rotationPolicy, before.rotationPolicy),
    rateLimit: kept(body.rateLimit, before.rateLimit),
    ipWhitelist: kept(body.ipWhitelist, before.ipWhitelist) ?? [],
    revokedAt: isActive ? null : (before.revokedAt ?? now),
    updatedAt: now,
  }
}

function assertSettings(body: UpdateApiKeyBody, now: string): void {
  const problems: Problem[] = []
  if (body.expiresAt && body.expiresAt <= now) {
    problems.push({ field: 'expiresAt', message: 'must be in the future', rule: 'future', in: 'body' })
  }
  const policy = body.rotationPolicy
  if (policy && policy.notifyDaysBefore >= policy.intervalDays) {
    problems.push({
      field: 'rotationPolicy.notifyDaysBefore',
      message: 'must be less than intervalDays',
      rule: 'less_than',
      in: 'body',
    })
  }
  if (problems.length > 0) throw validationFailure(problems)
}

/** A key is refused as expired from the very moment of `expiresAt`. */
export function isKeyExpired(key: Pick<ApiKey, 'expiresAt'>, now: string): boolean {
  return key.expiresAt !== null && key.expiresAt <= now
}
