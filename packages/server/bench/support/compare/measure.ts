import { loadavg } from 'node:os'
import type { Operation, World } from './operation.ts'
import { serviceTimeMs, untilAtRest } from './processor-time.ts'
import type { SendMany } from './requests.ts'
import type { Service } from './service.ts'

/** Both sides of a comparison. */
export interface Pair<T> {
  ref: T
  this: T
}

export interface Measured {
  operation: string
  /** Processor time of the service for one unit, µs, the median of the turns. */
  us: Pair<number>
  /** Commands of its database for one unit. */
  commands: Pair<number>
  /** This ÷ the other, for each pair of turns: quartiles and median. */
  ratio: Spread
  units: number
  load: number
}

/** An operation that one side does not have. */
export interface LeftOut {
  operation: string
  reason: string
}

export interface Spread {
  lower: number
  median: number
  upper: number
}

interface Turn {
  us: number
  commands: number
}

const unitsMax = 20_000
const warmUnits = 32
/** Processor time of the first units, which are not measured, ms: code is compiled, caches are filled. */
const usualWarmMs = 1_500

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.round((sorted.length - 1) * share)] ?? Number.NaN
  return { lower: at(0.25), median: at(0.5), upper: at(0.75) }
}

/** A service is at rest since its last turn, or since it was warm. */
async function takeTurn(service: Service, send: SendMany, units: number): Promise<Turn> {
  const [timeBefore, commandsBefore] = [serviceTimeMs(service.pid), await service.commands()]
  await send(units)
  await untilAtRest(service.pid)
  const commands = (await service.commands()) - commandsBefore
  return { us: ((serviceTimeMs(service.pid) - timeBefore) * 1000) / units, commands: commands / units }
}

interface Settings {
  pairs: number
  /** Processor time that one turn shall have, ms. */
  turnMs: number
  warmMs?: number
  world: World
}

/**
 * Does the operation more and more often, until the code is compiled on both sides. Returns how often it is done in a
 * turn.
 */
async function warm(
  services: Pair<Service>,
  sends: Pair<SendMany>,
  { turnMs, warmMs = usualWarmMs }: Settings,
): Promise<number> {
  let spentMs = 0
  for (let units = warmUnits; ; ) {
    const { us } = await takeTurn(services.ref, sends.ref, units)
    await takeTurn(services.this, sends.this, units)
    spentMs += (us * units) / 1000
    const enough = Math.min(unitsMax, Math.max(1, Math.ceil((turnMs * 1000) / us)))
    if (spentMs >= warmMs) return enough
    units = Math.min(units * 3, enough)
  }
}

/** Measures one operation on both services in turn, each first equally often. */
export async function compare(
  operation: Operation,
  services: Pair<Service>,
  settings: Settings,
): Promise<Measured | LeftOut> {
  const { pairs, world } = settings
  const sends = await prepare(operation, services, world)
  if ('reason' in sends) return sends
  const units = await warm(services, sends, settings)
  const turns: Pair<Turn>[] = []
  for (let pair = 0; pair < pairs; pair++) {
    const turnOf = (side: keyof Pair<Turn>) => takeTurn(services[side], sends[side], units)
    if (pair % 2 === 0) {
      const ref = await turnOf('ref')
      turns.push({ ref, this: await turnOf('this') })
    } else {
      const own = await turnOf('this')
      turns.push({ ref: await turnOf('ref'), this: own })
    }
  }
  const middle = (value: (turn: Pair<Turn>) => number) => spreadOf(turns.map(value)).median
  return {
    operation: operation.name,
    us: { ref: middle(({ ref }) => ref.us), this: middle((turn) => turn.this.us) },
    commands: { ref: middle(({ ref }) => ref.commands), this: middle((turn) => turn.this.commands) },
    ratio: spreadOf(turns.map((turn) => turn.this.us / turn.ref.us)),
    units,
    load: loadavg()[0] ?? 0,
  }
}

/** An earlier commit may not have the operation, or take it in another form; this one has to. */
async function prepare(
  operation: Operation,
  services: Pair<Service>,
  world: World,
): Promise<Pair<SendMany> | LeftOut> {
  const own = await operation.prepare(services.this, world)
  try {
    return { ref: await operation.prepare(services.ref, world), this: own }
  } catch (error) {
    return { operation: operation.name, reason: String(error).slice(0, 120) }
  }
}
