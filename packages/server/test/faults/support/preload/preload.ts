// Loaded by `--import` before the server, in its main thread and in each of its worker threads.
import { crashAtPoint } from './crash-at-point.ts'
import { endWithParent } from './end-with-parent.ts'
import { type FaultPlan, faultPlanVariable } from './fault-plan.ts'
import { limitPages } from './limit-pages.ts'
import { shiftClock } from './shift-clock.ts'

const plan = JSON.parse(process.env[faultPlanVariable] ?? '{}') as FaultPlan
endWithParent()
if (plan.crash) crashAtPoint(plan.crash)
if (plan.clockFile !== undefined) shiftClock(plan.clockFile)
if (plan.pagesFile !== undefined) limitPages(plan.pagesFile)
