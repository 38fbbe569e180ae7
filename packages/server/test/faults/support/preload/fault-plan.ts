import type { FaultPoint } from '../../../../src/shared/fault-points.ts'

/** The faults of one server. `preload/preload.ts` reads them from the environment of the process. */
export interface FaultPlan {
  /** Kills the process when it passes the point for the n-th time, from 1. */
  crash?: { point: FaultPoint; passage: number }
  /** A file that holds how many milliseconds the clock of the process is ahead; read again when it changes. */
  clockFile?: string
  /** A file that holds how many pages the database file may have; read again when it changes. */
  pagesFile?: string
}

export const faultPlanVariable = 'FAULT_PLAN'
