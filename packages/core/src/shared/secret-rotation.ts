import { z } from 'zod'
import { invalidState } from '../contract/failure.ts'

const secretOverlapSecondsMax = 604_800
const secretOverlapSecondsDefault = 86_400

export const secretOverlapSeconds = z
  .int()
  .min(0)
  .max(secretOverlapSecondsMax)
  .nullable()
  .optional()
  .describe(
    `Seconds for which the previous secret stays valid; 0 ends it immediately. Default: ${secretOverlapSecondsDefault}.`,
  )

/** A secret and, during the overlap of a rotation, the previous secret. */
export interface RotatingSecret {
  secret: string
  previous?: { secret: string; validUntil: string } | undefined
}

interface Rotation {
  /** The new secret. */
  secret: string
  overlapSeconds: z.output<typeof secretOverlapSeconds>
  now: string
}

/** Throws INVALID_STATE during the overlap of an earlier rotation, unless `overlapSeconds` is 0. */
export function rotatedSecret(
  before: RotatingSecret | undefined,
  { secret, overlapSeconds: given, now }: Rotation,
): RotatingSecret {
  const overlapSeconds = given ?? secretOverlapSecondsDefault
  if (before === undefined || overlapSeconds === 0) return { secret }
  // A third valid secret would be one too many; a leak can still be ended immediately, without an overlap.
  if (before.previous !== undefined && before.previous.validUntil > now) {
    const message = 'The overlap of the last rotation has not ended; overlapSeconds 0 ends it immediately'
    throw invalidState(message, 'rotating', ['overlapSeconds: 0'])
  }
  const validUntil = new Date(Date.parse(now) + overlapSeconds * 1000).toISOString()
  return { secret, previous: { secret: before.secret, validUntil } }
}
