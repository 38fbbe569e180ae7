import { subscribe } from 'node:diagnostics_channel'
import { faultPointChannel } from '../../../../src/shared/fault-points.ts'
import type { FaultPlan } from './fault-plan.ts'

/** Every point belongs to one thread, so each thread counts for itself. */
export function crashAtPoint({ point, passage }: NonNullable<FaultPlan['crash']>): void {
  let passages = 0
  subscribe(faultPointChannel, (passed) => {
    if (passed !== point) return
    passages += 1
    if (passages !== passage) return
    process.kill(process.pid, 'SIGKILL')
    // No more code of this thread runs, however long the signal takes.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  })
}
