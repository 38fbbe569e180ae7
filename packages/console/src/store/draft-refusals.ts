import type { SendDraft, Draft as StoredDraft } from '@crmkit/sdk'
import type { Problem } from '../api/problem.ts'

export type AgreedBasis = NonNullable<SendDraft['basis']>

/** Whether there is nothing to save into: the conversation was deleted, or this person may not see it any more. */
export function isNowhere({ code }: Problem): boolean {
  return code === 'NOT_FOUND' || code === 'PERMISSION_DENIED'
}

/** The draft of the 409 of `expectedVersion`; null: there is none; undefined: another refusal. */
export function storedOf({ kind, details }: Problem): StoredDraft | null | undefined {
  if (kind !== 'conflict' || typeof details !== 'object' || details === null) return undefined
  return 'draft' in details ? (details.draft as StoredDraft | null) : undefined
}

/** The basis of now, where the service has refused a draft whose recipients were chosen on another one. */
export function changedBasisOf({ kind, details }: Problem): AgreedBasis | null {
  if (kind !== 'conflict' || typeof details !== 'object' || details === null) return null
  return 'now' in details ? (details.now as AgreedBasis) : null
}

/** Whether the service has refused a request for a draft because it has another version, or none. */
export function isChangedElsewhere(problem: Problem): boolean {
  return problem.code === 'NOT_FOUND' || storedOf(problem) !== undefined
}
