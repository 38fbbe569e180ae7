import { z } from 'zod'
import { invalidState } from '../contract/failure.ts'

const secretOverlapSecondsMax = 604_800
const secretOverlapSecondsDefault = 86_400

/** How long the secret before stays valid beside the new one; 0 ends it at once. */
export const secretOverlapSeconds = z.int().min(0).max(secretOverlapSecondsMax).nullable().optional()

/** A secret and, during the overlap of a rotation, the one before it. */
export interface RotatingSecret {
  secret: string
  previous?: { secret: string; validUntil: string } | undefined
}

interface Rotation {
  /** Made anew. */
  secret: string
  overlapSeconds: z.output<typeof secretOverlapSeconds>
  now: string
}

/** Throws INVALID_STATE while an earlier overlap lasts, unless everything before is to end at once. */
export function rotatedSecret(
  before: RotatingSecret | undefined,
  { secret, overlapSeconds: given, now }: Rotation,
): RotatingSecret {
  const overlapSeconds = given ?? secretOverlapSecondsDefault
  if (before === undefined || overlapSeconds === 0) return { secret }
  // Which of the two its users have nobody knows; a leak is still ended at once, without an overlap.
  if (before.previous !== undefined && before.previous.validUntil > now) {
    const message = 'The overlap of the last rotation has not ended; overlapSeconds 0 ends it at once'
    throw invalidState(message, 'rotating', ['overlapSeconds: 0'])
  }
  const validUntil = new Date(Date.parse(now) + overlapSeconds * 1000).toISOString()
  return { secret, previous: { secret: before.secret, validUntil } }
}
