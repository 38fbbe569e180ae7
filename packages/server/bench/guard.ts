// `npm run bench guard`: refuses a state in which one of the hottest operations needs more than 1.15 times the processor time that it
// needs in the last release of docs/releases.json. The comparison is that of `npm run bench compare`, short. An operation above the limit
// is measured again with more pairs on services that are started anew, up to four times, and is refused when all of them agree: two services
// of the same code differ by some hundredths for as long as they run. `docs/slower.json` names operations that may be slower, with the reason.
// `--plant` proves it: the release beside itself with a slow line of 20 µs in each request, which has to be refused; fails
// unless it is. `--ref COMMIT` compares with another state. Needs Linux.
import { readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Comparison, openComparison } from './support/compare/comparison.ts'
import { guardedOperations, isTooSlow, limitOf, type Slower } from './support/compare/guard-rules.ts'
import { compare, type Measured, type Pair } from './support/compare/measure.ts'
import { comparedOperations } from './support/compare/operations.ts'
import { hasCommit, openThisTree, openTreeOf, type Tree } from './support/compare/tree.ts'
import { printFigures } from './support/print-figures.ts'

const { values: options } = parseArgs({
  options: { plant: { type: 'boolean', default: false }, ref: { type: 'string' } },
})
const short = { pairs: 5, turnMs: 250, warmMs: 1200 }
// Code that is still being compiled made a read 1.49 times as slow in one comparison and 1.03 times in a long one.
const long = { pairs: 15, turnMs: 300, warmMs: 3000 }
/** How often a suspect is measured again. */
const repeats = 4
/** On a busy machine turns take many times as long: then operations are left out by name, and CI ends in time. */
const secondsMax = 420

const read = (file: string) =>
  JSON.parse(readFileSync(new URL(`../../../docs/${file}`, import.meta.url), 'utf8'))
const releases: { version: string; commit: string }[] = read('releases.json')
const slower: Slower[] = read('slower.json')

interface Reference {
  version: string
  tree: Tree
}

/** Returns the newest release that can be run here, or why there is none. */
function openReference(): Reference | string {
  if (process.platform !== 'linux') return 'only Linux reports the processor time of a thread'
  const { ref } = options
  const found = ref ? { version: ref, commit: ref } : releases.findLast(({ commit }) => hasCommit(commit))
  if (!found) return 'this clone has the commit of no release, and its origin cannot be asked'
  try {
    return { version: found.version, tree: openTreeOf(found.commit) }
  } catch (error) {
    return `the release ${found.version} cannot be prepared: ${error}`
  }
}

async function measure(comparison: Comparison, name: string, settings: typeof short): Promise<Measured> {
  const operation = comparedOperations.find((one) => one.name === name)
  if (!operation) throw new Error(`no operation is called ${name}`)
  const services = await comparison.servicesOf(operation.form)
  const result = await compare(operation, services, { ...settings, world: comparison })
  if ('reason' in result) throw new Error(`${name}: ${result.reason}`)
  return result
}

const secondsSinceStart = () => performance.now() / 1000
const round = (value: number) => Math.round(value * 100) / 100

interface Compared {
  trees: Pair<Tree>
  version: string
}

/** Measures operations on services of their own; the results by operation, without those for which there is no time. */
async function compareAll(
  { trees, version }: Compared,
  names: readonly string[],
  settings: typeof short,
): Promise<Map<string, Measured>> {
  const results = new Map<string, Measured>()
  const comparison = await openComparison({ trees, database: 'sqlite' })
  const rows: Record<string, Record<string, number | string>> = {}
  try {
    for (const operation of names) {
      if (secondsSinceStart() > secondsMax) {
        process.stdout.write(`not measured: ${operation}, the machine is too busy\n`)
        continue
      }
      const result = await measure(comparison, operation, settings)
      results.set(operation, result)
      const { us, ratio } = result
      rows[operation] = {
        'before, µs': Math.round(us.ref),
        'now, µs': Math.round(us.this),
        ratio: round(ratio.median),
        quartiles: `${round(ratio.lower)} – ${round(ratio.upper)}`,
        limit: limitOf(slower, { operation, release: version }),
        pairs: settings.pairs,
      }
      process.stderr.write(`${operation}: ${JSON.stringify(rows[operation])}\n`)
    }
  } finally {
    await comparison.end()
  }
  const load = loadavg().map((each) => Math.round(each))
  printFigures('guard', rows, { before: version, now: trees.this.name, loadAverage: load })
  return results
}

/** Returns the names of the operations that are slower than they may be in each comparison. */
async function findSlower(compared: Compared, names: readonly string[]): Promise<string[]> {
  const limit = (operation: string) => limitOf(slower, { operation, release: compared.version })
  let suspects = [...names]
  for (let repeat = 0; repeat <= repeats && suspects.length > 0; repeat++) {
    const results = await compareAll(compared, suspects, repeat === 0 ? short : long)
    suspects = [...results]
      .filter(([operation, { ratio }]) => isTooSlow(ratio, limit(operation)))
      .map(([operation]) => operation)
  }
  return suspects
}

const reference = openReference()
if (typeof reference === 'string') {
  process.stdout.write(`not measured: ${reference}\n`)
} else {
  const { version, tree } = reference
  const slowLine = fileURLToPath(new URL('./support/slow-line.ts', import.meta.url))
  const planted: Tree = { ...tree, name: `${tree.name} with a slow line`, flags: ['--import', slowLine] }
  const now = options.plant ? planted : openThisTree()
  const names = options.plant ? guardedOperations.slice(0, 1) : guardedOperations
  const refused = await findSlower({ trees: { ref: tree, this: now }, version }, names)
  const seconds = Math.round(secondsSinceStart())
  const verdict = refused.length === 0 ? 'no operation is too slow' : `too slow: ${refused.join(', ')}`
  process.stdout.write(`${verdict} (beside ${version}, ${seconds} s)\n`)
  if (refused.length > 0 !== options.plant) process.exitCode = 1
}
