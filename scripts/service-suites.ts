// Test suites that need services which not every machine has. The file name lists the services
// (`claims.mongodb.test.ts`, `two-of-each.mongodb.redis.test.ts`); `npm test` leaves the suite out until each of them
// is configured, and reports that.
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { readSlowSuites } from './slow-suites.ts'

interface TestService {
  /** A part of the file name before `.test.ts`. */
  readonly tag: string
  readonly name: string
  /** The variable with the path of the service's program; without it, its suites are left out. */
  readonly variable: string
}

const testServices: readonly TestService[] = [
  { tag: 'mongodb', name: 'MongoDB', variable: 'MONGOMS_SYSTEM_BINARY' },
  { tag: 'redis', name: 'Redis', variable: 'CRM_TEST_REDIS_BINARY' },
  { tag: 'chromium', name: 'Chromium', variable: 'CRM_TEST_CHROMIUM' },
  { tag: 'firefox', name: 'Firefox', variable: 'CRM_TEST_FIREFOX' },
  { tag: 'dovecot', name: 'dovecot', variable: 'CRM_TEST_DOVECOT_BINARY' },
  { tag: 'prometheus', name: 'Prometheus', variable: 'CRM_TEST_PROMETHEUS' },
  { tag: 'schemathesis', name: 'schemathesis', variable: 'CRM_TEST_SCHEMATHESIS' },
  { tag: 'versitygw', name: 'versitygw', variable: 'CRM_TEST_VERSITYGW' },
]

const missingServices = testServices.filter((service) => !process.env[service.variable])

/** Globs of the test files that cannot run on this machine as it is. */
export const leftOutPatterns: readonly string[] = missingServices.flatMap(({ tag }) => [
  `**/*.${tag}.test.ts`,
  `**/*.${tag}.*.test.ts`,
])

/** The combinations of database and queue; `CRM_TEST_WORLD` names one. `suitesOf` says which suites each of them runs. */
interface World {
  /** The name of its project in vitest.config.ts, and the value of `CRM_TEST_WORLD`. */
  readonly id: string
  readonly name: string
  readonly needs: readonly TestService['tag'][]
}

const worlds: readonly World[] = [
  { id: 'sqlite', name: 'SQLite + in-process', needs: [] },
  { id: 'mongodb', name: 'MongoDB + BullMQ', needs: ['mongodb', 'redis'] },
]

const filesOf = (folder: string) => `packages/server/test/${folder}/+([^.]).test.ts`

/** A suite that names its services has a world of its own. */
export const worldSuites: readonly string[] = ['contracts', 'http', 'imports', 'isolation', 'journeys'].map(
  filesOf,
)

/**
 * Begins the first line of each file of `http/` that every run asks on MongoDB too, with the reason: what it proves may differ
 * between the databases. The other files are about what happens above the storage. See docs/testing.md.
 */
const markOfBothDatabases = '// Runs on both databases by day: '

/**
 * Begins the first line of each suite that waits for minutes, with what holds its promise by day. `npm run nightly` runs it, and of
 * the runs of CI each tenth.
 */
const markOfNight = '// Runs at night; by day: '

/**
 * `quick` leaves the slow suites out: `npm test`. `all` runs every suite in every world: `npm run nightly`, and a run of files that are
 * named.
 */
const scope = process.env['CRM_TEST_SCOPE']
const runsAll = scope === 'all'
const isLanding = process.env['CI'] === 'true'

/** Each run of CI takes another tenth of the files that wait for the night, and of the slow ones. */
function tenthOf(files: readonly string[]): string[] {
  if (!isLanding) return []
  const turn = commitCount() % 10
  return files.filter((_file, index) => index % 10 === turn)
}

function commitCount(): number {
  try {
    return Number(execFileSync('git', ['rev-list', '--count', 'HEAD'], { encoding: 'utf8' }))
  } catch {
    // A tree without its history.
    return 0
  }
}

/** The suites with that mark, each with what holds its promise by day. */
export function markedForNight(): { file: string; byDay: string }[] {
  const suites = globSync('packages/*/test/**/*.test.ts').sort()
  return suites.flatMap((file) => {
    const [first = ''] = readFileSync(file, 'utf8').split('\n', 1)
    return first.startsWith(markOfNight) ? [{ file, byDay: first.slice(markOfNight.length) }] : []
  })
}

function leftForNight(): string[] {
  if (runsAll) return []
  const marked = markedForNight().map(({ file }) => file)
  const due = tenthOf(marked)
  return marked.filter((file) => !due.includes(file))
}

/** The suites that this run leaves for the night. */
export const suitesOfNight: readonly string[] = leftForNight()

/** A change that lets one tenant see another does harm at once. */
const neverSlow = 'packages/server/test/isolation/'

/** The suites that take ten seconds or more, the longest first, so that each turn gets as much of them. */
export function slowSuites(seconds = readSlowSuites()): string[] {
  return Object.entries(seconds)
    .filter(([file]) => !file.startsWith(neverSlow))
    .sort(([, one], [, other]) => other - one)
    .map(([file]) => file)
}

function leftAsSlow(): string[] {
  if (scope !== 'quick') return []
  const slow = slowSuites().filter((file) => !suitesOfNight.includes(file))
  const due = tenthOf(slow)
  return slow.filter((file) => !due.includes(file))
}

/** The suites that this run leaves to `npm run verify`; each landing runs a tenth of them. */
export const slowSuitesLeft: readonly string[] = leftAsSlow()

function suitesOfMongodb(): readonly string[] {
  if (runsAll) return worldSuites
  const http = globSync('packages/server/test/http/*.test.ts').sort()
  const isMarked = (file: string) => readFileSync(file, 'utf8').startsWith(markOfBothDatabases)
  const marked = http.filter(isMarked)
  return [
    ...worldSuites.filter((suite) => suite !== filesOf('http')),
    ...marked,
    ...tenthOf(http.filter((file) => !marked.includes(file))),
  ]
}

/** The files that a world runs, as globs. */
export function suitesOf(world: string): readonly string[] {
  return world === 'mongodb' ? suitesOfMongodb() : worldSuites
}

function missingFor({ needs }: Pick<World, 'needs'>): TestService[] {
  return missingServices.filter(({ tag }) => needs.includes(tag))
}

export const runnableWorlds: readonly World[] = worlds.filter((world) => missingFor(world).length === 0)

export function hasService(tag: TestService['tag']): boolean {
  return missingServices.every((service) => service.tag !== tag)
}

function namesOf(services: readonly TestService[], field: 'name' | 'variable'): string {
  return services.map((service) => service[field]).join(' and ')
}

/** One line for every suite and every world that is left out, with the reason. */
export function describeLeftOutSuites(): string[] {
  const files = globSync('{packages,examples}/**/*.test.ts', {
    exclude: (path) => path.includes('node_modules'),
  }).sort()
  const suites = files.map((file) => ({ what: file, needs: basename(file).split('.') }))
  const wholeWorlds = worlds.map(({ name, needs }) => ({ what: `every test on ${name}`, needs }))
  return [...suites, ...wholeWorlds].flatMap(({ what, needs }) => {
    const missing = missingFor({ needs })
    if (missing.length === 0) return []
    return [`${what}: needs ${namesOf(missing, 'name')}; set ${namesOf(missing, 'variable')} to run it`]
  })
}

/** Returns the last lines of a run with these arguments: a run of a part says in one line how much a whole run leaves out. */
export function reportLeftOut(args: readonly string[], leftOut = describeLeftOutSuites()): string[] {
  const isPart = args.some((argument) => !argument.startsWith('-') || argument.startsWith('--project'))
  if (!isPart) {
    return [
      ...leftOut,
      ...suitesOfNight.map((file) => `${file}: runs at night`),
      `${slowSuitesLeft.length} slow suites: npm run verify runs all of them, a landing a tenth`,
    ]
  }
  if (leftOut.length === 0) return []
  return [`${leftOut.length} suites and worlds that need a service; npm test without a path lists them`]
}
