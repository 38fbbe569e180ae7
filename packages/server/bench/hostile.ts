// `npm run bench hostile [OPERATION]`: the worst text for every text field, in processor time per KB of its request. Of
// all operations, or of those whose id begins with OPERATION.

import {
  isRemoving,
  lengthsOf,
  operationsWithTexts,
  requestWith,
  textOf,
  worstUnits,
} from '../test/hostile/hostile-texts.ts'
import { goodRequest } from '../test/isolation/credentials.ts'
import { createTenantWorld } from '../test/isolation/world.ts'
import { type Call, call } from '../test/support/call.ts'
import { type RunningService, startService } from '../test/support/start-service.ts'
import { printFigures } from './support/print-figures.ts'

/** The least of a few counts: other work of the process may fall into one measurement. */
const measurements = 3
const printed = 10
/** A shorter request costs what any request costs, whatever it holds: other work of the process decides its figure. */
const kilobytesMin = 2

interface Cost {
  field: string
  text: string
  kilobytes: number
  cpuMs: number
  /** The processor time beyond that of the same request without the text. */
  msPerKilobyte: number
  status: number
}

const prefix = process.argv[2] ?? ''
const running = await startService()
try {
  const costs: Cost[] = []
  const asked = operationsWithTexts.filter(({ operation }) => operation.id.startsWith(prefix))
  for (const of of asked) costs.push(...(await costsOf(running, of)))
  const worst = costs.toSorted((a, b) => b.msPerKilobyte - a.msPerKilobyte).slice(0, printed)
  printFigures('hostile', Object.fromEntries(worst.map(({ field, ...rest }) => [field, rest])), {
    measured: `${costs.length} fields of ${asked.length} operations, each with ${Object.keys(worstUnits).length} texts`,
    kilobytesMin,
    measurements,
  })
} finally {
  await running.stop()
}

/** Measures a request; the service and this client share the process, so both are counted. */
async function measure(url: string, request: Call): Promise<{ cpuMs: number; status: number }> {
  let cpuMs = Number.POSITIVE_INFINITY
  let status = 0
  for (let i = 0; i < measurements; i += 1) {
    const before = process.cpuUsage()
    ;({ status } = await call(url, request))
    const { user, system } = process.cpuUsage(before)
    cpuMs = Math.min(cpuMs, (user + system) / 1000)
  }
  return { cpuMs, status }
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}

/** The worst text of each field of an operation. */
async function costsOf(
  service: RunningService,
  { operation, fields }: (typeof operationsWithTexts)[number],
): Promise<Cost[]> {
  const tenant = await createTenantWorld(service)
  const good = goodRequest(operation, tenant)
  // An operation that removes its resource would succeed once only: its refusal is the base.
  if (isRemoving(operation)) await call(service.url, good)
  const base = await measure(service.url, good)
  const worst: Cost[] = []
  for (const field of fields) {
    const all: Cost[] = []
    for (const [text, unit] of Object.entries(worstUnits)) {
      for (const length of lengthsOf(field, unit)) {
        const request = requestWith(good, field, textOf(unit, length))
        const kilobytes = (request.path.length + Buffer.byteLength(String(request.rawBody ?? ''))) / 1000
        if (kilobytes < kilobytesMin) continue
        const { cpuMs, status } = await measure(service.url, request)
        const msPerKilobyte = Math.max(0, cpuMs - base.cpuMs) / kilobytes
        all.push({
          field: `${operation.id} ${field.path.join('.')}`,
          text,
          kilobytes: round(kilobytes),
          cpuMs: round(cpuMs),
          msPerKilobyte: round(msPerKilobyte),
          status,
        })
      }
    }
    worst.push(...all.toSorted((a, b) => b.msPerKilobyte - a.msPerKilobyte).slice(0, 1))
  }
  return worst
}
