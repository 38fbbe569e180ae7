import { invalidState, type Problem } from '../contract/failure.ts'
import type { NewResource } from '../shared/common-fields.ts'
import { updatedField } from '../shared/updated-field.ts'
import {
  type ApiKey,
  type CreateApiKeyBody,
  overlapSecondsDefault,
  type StoredApiKey,
  type UpdateApiKeyBody,
} from './api-key.ts'
import type { NewKeyText } from './api-key-text.ts'

interface NewApiKeyParts extends NewResource {
  createdBy: string
  text: NewKeyText
}

export function newApiKey(
  body: CreateApiKeyBody,
  { id, tenantId, createdBy, text, now }: NewApiKeyParts,
): StoredApiKey {
  return {
    _id: id,
    tenantId,
    name: body.name,
    displayName: body.displayName ?? null,
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
    replacedBy: null,
    createdAt: now,
    updatedAt: now,
  }
}

export function updatedApiKey(before: StoredApiKey, body: UpdateApiKeyBody, now: string): StoredApiKey {
  const isActive = updatedField(body.isActive, before.isActive)
  return {
    ...before,
    name: updatedField(body.name, before.name),
    displayName: updatedField(body.displayName, before.displayName),
    permissions: updatedField(body.permissions, before.permissions),
    isActive,
    expiresAt: updatedField(body.expiresAt, before.expiresAt),
    rotationPolicy: updatedField(body.rotationPolicy, before.rotationPolicy),
    rateLimit: updatedField(body.rateLimit, before.rateLimit),
    ipWhitelist: updatedField(body.ipWhitelist, before.ipWhitelist) ?? [],
    revokedAt: isActive ? null : (before.revokedAt ?? now),
    updatedAt: now,
  }
}

/**
 * The successor of a key with the same settings and expiry, and the key itself with the expiry of the overlap. Throws
 * INVALID_STATE for a key that is revoked, expired or rotated already.
 */
export function rotatedApiKey(
  before: StoredApiKey,
  making: Omit<NewApiKeyParts, 'tenantId'>,
  overlapSeconds: number | null | undefined,
): { successor: StoredApiKey; ended: StoredApiKey } {
  const { now, id } = making
  assertMayRotate(before, now)
  const successor = {
    ...newApiKey({ ...before, rotationPolicy: null }, { ...making, tenantId: before.tenantId }),
    rotationPolicy: before.rotationPolicy,
  }
  const overlapMs = (overlapSeconds ?? overlapSecondsDefault) * 1000
  const endsAt = new Date(Date.parse(now) + overlapMs).toISOString()
  const expiresAt = before.expiresAt !== null && before.expiresAt < endsAt ? before.expiresAt : endsAt
  return { successor, ended: { ...before, expiresAt, replacedBy: id, updatedAt: now } }
}

function assertMayRotate(key: StoredApiKey, now: string): void {
  if (!key.isActive) throw invalidState('A revoked key cannot be rotated', 'inactive', ['active'])
  if (key.replacedBy) throw invalidState('This key was rotated already', 'rotated', ['active'])
  if (isKeyExpired(key, now)) throw invalidState('An expired key cannot be rotated', 'expired', ['active'])
}

/** The problems in a key's settings that need the clock or a second field. */
export function apiKeyProblems(
  body: Pick<UpdateApiKeyBody, 'expiresAt' | 'rotationPolicy'>,
  now: string,
): Problem[] {
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
  return problems
}

const dayMs = 86_400_000

/** The key as responses show it, with the due date of its rotation, counted from its creation. */
export function shownApiKey(stored: StoredApiKey, now: string): ApiKey {
  // Keys that were stored by a version without rotation have no `replacedBy`.
  const key = { ...stored, replacedBy: stored.replacedBy ?? null }
  const policy = key.rotationPolicy
  if (!policy?.enabled || policy.intervalDays === null) {
    return { ...key, rotationDueAt: null, rotationDueSoon: false, rotationOverdue: false }
  }
  const dueMs = Date.parse(key.createdAt) + policy.intervalDays * dayMs
  const noticeMs = dueMs - (policy.notifyDaysBefore ?? 0) * dayMs
  const nowMs = Date.parse(now)
  return {
    ...key,
    rotationDueAt: new Date(dueMs).toISOString(),
    rotationDueSoon: nowMs >= noticeMs && nowMs < dueMs,
    rotationOverdue: nowMs >= dueMs,
  }
}

/** A key is expired from exactly `expiresAt` on. */
export function isKeyExpired(key: Pick<ApiKey, 'expiresAt'>, now: string): boolean {
  return key.expiresAt !== null && key.expiresAt <= now
}
