// `npm run bench compare -- REF`: what an operation costs now and at the commit REF. Both states run at the same time, each
// in a folder of its own, and do the same in turn (AB BA AB …); the figure is the processor time of the service for one
// operation, with what follows its response, and the median of the ratios of the pairs. So a busy machine costs time and
// not truth. `--pairs 5`, `--ms 500` (processor time of one turn), `--only 'read a customer'` (may be repeated),
// `--database mongodb` (the ten hottest, with the commands of each). Needs Linux.
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { openComparison } from './support/compare/comparison.ts'
import { compare, type Measured, type Spread } from './support/compare/measure.ts'
import { comparedOperations } from './support/compare/operations.ts'
import type { Database } from './support/compare/service.ts'
import { type ComparedStarts, compareStarts } from './support/compare/start-operation.ts'
import { openThisTree, openTreeOf } from './support/compare/tree.ts'
import { printFigures } from './support/print-figures.ts'

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    pairs: { type: 'string', default: '5' },
    ms: { type: 'string', default: '500' },
    only: { type: 'string', multiple: true },
    database: { type: 'string', default: 'sqlite' },
  },
})
const [ref = 'HEAD~1'] = positionals
const pairs = Number(options.pairs)
const turnMs = Number(options.ms)
const { only } = options
const database: Database = options.database === 'mongodb' ? 'mongodb' : 'sqlite'
const startName = 'start'

const isChosen = (name: string) => only === undefined || only.includes(name)
const chosen = comparedOperations.filter(
  ({ name, isHot, form }) =>
    isChosen(name) && (database === 'sqlite' || (isHot === true && form !== 'mounted')),
)
const unknown = only?.filter(
  (name) => name !== startName && !comparedOperations.some((one) => one.name === name),
)
if (unknown?.length) {
  const names = [startName, ...comparedOperations.map(({ name }) => name)]
  throw new Error(`no operation is called ${unknown.join(', ')}; there are: ${names.join(', ')}`)
}

const round = (value: number) => Math.round(value * 100) / 100
const ratioRow = ({ median, lower, upper }: Spread) => ({
  ratio: round(median),
  quartiles: `${round(lower)} – ${round(upper)}`,
})

function rowOf({ us, commands, ratio, units, load }: Measured) {
  return {
    'before, µs': Math.round(us.ref),
    'now, µs': Math.round(us.this),
    ...ratioRow(ratio),
    ...(database === 'mongodb' && {
      'commands before': round(commands.ref),
      'commands now': round(commands.this),
    }),
    units,
    load: round(load),
  }
}

function startRows({ cpuMs, cpuRatio, memoryMiB, memoryRatio }: ComparedStarts) {
  return {
    'start, from the sources': {
      'before, µs': cpuMs.ref * 1000,
      'now, µs': cpuMs.this * 1000,
      ...ratioRow(cpuRatio),
    },
    'memory at rest, from the sources': {
      'before, MiB': round(memoryMiB.ref),
      'now, MiB': round(memoryMiB.this),
      ...ratioRow(memoryRatio),
    },
  }
}

const trees = { ref: openTreeOf(ref), this: openThisTree() }
const comparison = await openComparison({ trees, database })
try {
  const { folder, receiver } = comparison
  const settings = { pairs, turnMs, world: { receiver } }
  const rows: Record<string, Record<string, number | string>> = {}
  for (const operation of chosen) {
    const result = await compare(operation, await comparison.servicesOf(operation.form), settings)
    const row = 'reason' in result ? { 'left out': result.reason } : rowOf(result)
    rows[operation.name] = row
    process.stderr.write(`${operation.name}: ${JSON.stringify(row)}\n`)
  }
  if (database === 'sqlite' && isChosen(startName))
    Object.assign(rows, startRows(await compareStarts(trees, { pairs: Math.min(pairs, 5), folder })))
  printFigures('compare', rows, {
    before: trees.ref.name,
    now: trees.this.name,
    pairs,
    turnMs,
    database,
    loadAverage: loadavg().map((load) => Math.round(load)),
  })
} finally {
  await comparison.end()
}
