import { availableParallelism } from 'node:os'
import type { Plugin } from 'vite'
import { defineConfig, type TestProjectConfiguration } from 'vitest/config'
import { starters } from './packages/server/test/support/bundle-programs.ts'
import { LongestFirst } from './scripts/longest-first.ts'
import {
  leftOutPatterns,
  runnableWorlds,
  slowSuitesLeft,
  suitesOf,
  suitesOfNight,
  worldSuites,
} from './scripts/service-suites.ts'

const exclude = ['**/node_modules/**', '**/dist/**', ...leftOutPatterns, ...suitesOfNight, ...slowSuitesLeft]

/** A test waits for a third of its time, so one more than there are cores; more than eight need too much memory. */
const maxWorkers = Math.min(availableParallelism() + 1, 8)

const browserSuites = 'packages/server/test/browser/**/*.test.ts'
/** They kill processes and wait: for a lease to end, a server to come back, a mailbox to be taken over. */
const waitingSuites = 'packages/server/test/{faults,mail,scale}/**/*.test.ts'

const demandAssertions = './scripts/demand-assertions.ts'
const refuseCutLists = './packages/server/test/support/refuse-cut-lists.ts'

type OwnSettings = NonNullable<TestProjectConfiguration & object>['test']

function project(name: string, include: string[], own: OwnSettings = {}): TestProjectConfiguration {
  return {
    extends: true,
    test: {
      name,
      include,
      exclude: [...exclude, ...worldSuites, browserSuites, waitingSuites],
      environment: 'node',
      ...own,
    },
  }
}

/** Twice as many for each core, after the suites that compute. */
const waitingProject: TestProjectConfiguration = {
  extends: true,
  test: {
    name: 'waiting',
    include: [waitingSuites],
    exclude,
    setupFiles: [refuseCutLists],
    maxWorkers: 2 * availableParallelism(),
    sequence: { groupOrder: 1 },
  },
}

function packageProject(name: string, own?: OwnSettings): TestProjectConfiguration {
  return project(name, [`packages/${name}/src/**/*.test.ts`, `packages/${name}/test/**/*.test.ts`], own)
}

/**
 * Code that counts days or months in the time zone of the machine is right on a machine in UTC alone. In the east a midnight of
 * the machine is a day before in UTC; in the west a midnight in UTC is a day before on the machine.
 */
const inTheEast = { env: { TZ: 'Asia/Kathmandu' }, setupFiles: [demandAssertions] }
const inTheWest = { env: { TZ: 'America/St_Johns' }, setupFiles: [demandAssertions] }

/**
 * A browser on a busy machine now and then loses what its driver sends: a key goes to another frame, a download ends
 * before it began. So a test of a browser runs again before it counts as failed, also where other tests do not.
 */
const browserProject: TestProjectConfiguration = {
  extends: true,
  test: { name: 'browser', include: [browserSuites], exclude, retry: 2, setupFiles: [refuseCutLists] },
}

/** The suites that ask a whole service, or prove a promise of its ports, as far as this world runs them. */
function worldProject(id: string): TestProjectConfiguration {
  return {
    extends: true,
    test: {
      name: id,
      include: [...suitesOf(id)],
      env: { CRM_TEST_WORLD: id },
      setupFiles: [demandAssertions, refuseCutLists],
    },
  }
}

/** A service inside of a test starts its threads and its parsers from the bundle, as a process does. */
const bundledPrograms: Plugin = {
  name: 'bundled-programs',
  enforce: 'pre',
  transform: (text, file) =>
    starters.includes(file)
      ? text.replaceAll('import.meta.url', `process.env['CRM_TEST_PROGRAMS']`)
      : undefined,
}

export default defineConfig({
  plugins: [bundledPrograms],
  // Tests run the sources, never a stale build. Vite reads the conditions of `ssr` for code that runs on Node.
  // A process that a test starts itself needs `--conditions=@crmkit/source` too.
  ssr: { resolve: { conditions: ['@crmkit/source'] } },
  test: {
    globalSetup: ['./scripts/start-test-services.ts'],
    pool: 'forks',
    maxWorkers,
    sequence: { sequencer: LongestFirst },
    // The files of a worker share its modules: the service is loaded once for a worker, not for every file.
    isolate: false,
    // For what hangs; a busy machine takes several times as long as a calm one.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    // Only in a landing's run, which prints the first failure of such a test at its end; see docs/testing.md.
    retry: process.env['CI'] ? 1 : 0,
    passWithNoTests: true,
    exclude,
    projects: [
      packageProject('core', inTheEast),
      ...['widget', 'console'].map((name) => packageProject(name, inTheWest)),
      ...['sdk', 'cli'].map((name) => packageProject(name)),
      packageProject('server', { setupFiles: [refuseCutLists] }),
      browserProject,
      waitingProject,
      project('scripts', ['scripts/**/*.test.ts']),
      project('examples', ['examples/*/**/*.test.ts']),
      ...runnableWorlds.map(({ id }) => worldProject(id)),
    ],
    coverage: {
      provider: 'v8',
      include: ['packages/*/src/**'],
      exclude: ['**/*.test.ts', '**/*.contract.ts'],
    },
  },
})
