import type { TransferSource } from './storage-transfer.ts'

/** One result of examining a part of an installation. Nothing that is examined is changed. */
export interface Finding {
  /** `warning`: the service works, but an operator should know. `problem`: it does not work, or data is damaged. */
  outcome: 'ok' | 'warning' | 'problem'
  /** One sentence for the operator. It holds no secret and no address with a password. */
  sentence: string
  /** How a problem is mended: a command or a sentence. */
  mend?: string
}

export interface ExamineOptions {
  /** Reads everything, which may take minutes, instead of what takes seconds. */
  isThorough: boolean
}

/** The rows that an examination reads. A server may use the database meanwhile. */
export type ExaminedRows = Pick<TransferSource, 'count' | 'readPage' | 'findMissing'>

export interface ExaminedDatabase {
  findings: readonly Finding[]
  /** Undefined when the database cannot be read at all, or is empty. */
  rows: ExaminedRows | undefined
  /** An earlier version wrote it: the next start upgrades it, and what reads its rows has to wait for that. */
  isBehind?: boolean
  close(): Promise<void>
}

/** The largest difference of two clocks that does no harm: leases and tokens allow for more. */
export const clockSkewMaxMs = 5_000

/** Compares the clock of this machine with that of a database or of Redis. */
export function clockFinding(
  of: string,
  { remoteMs, localMs }: { remoteMs: number; localMs: number },
): Finding {
  const skewMs = Math.abs(remoteMs - localMs)
  if (skewMs <= clockSkewMaxMs)
    return { outcome: 'ok', sentence: `The clock of ${of} agrees with the clock of this machine.` }
  return {
    outcome: 'problem',
    sentence: `The clock of ${of} and the clock of this machine differ by ${Math.round(skewMs / 1000)} s.`,
    mend: 'Synchronize both machines by NTP: leases and rate limits compare their times.',
  }
}
