import { defineConfig, type TestProjectConfiguration } from 'vitest/config'
import { hasMongoWorld, leftOutPatterns, mongoWorldSuites } from './scripts/service-suites.ts'

function project(name: string, include: string[]): TestProjectConfiguration {
  return { extends: true, test: { name, include, environment: 'node' } }
}

function packageProject(name: string): TestProjectConfiguration {
  return project(name, [`packages/${name}/src/**/*.test.ts`, `packages/${name}/test/**/*.test.ts`])
}

/** The suites that ask a running service, once more on MongoDB. */
const mongoWorld: TestProjectConfiguration = {
  extends: true,
  test: { name: 'mongodb', include: [...mongoWorldSuites], env: { CRM_TEST_WORLD: 'mongodb' } },
}

export default defineConfig({
  // Tests run the sources, never a stale build. Vite reads the conditions of `ssr` for code that runs on Node.
  // A process that a test starts itself needs `--conditions=@crmkit/source` too.
  ssr: { resolve: { conditions: ['@crmkit/source'] } },
  test: {
    globalSetup: ['./scripts/start-test-services.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 20_000,
    passWithNoTests: true,
    exclude: ['**/node_modules/**', '**/dist/**', ...leftOutPatterns],
    projects: [
      ...['core', 'server', 'sdk', 'cli'].map(packageProject),
      project('examples', ['examples/*/**/*.test.ts']),
      ...(hasMongoWorld ? [mongoWorld] : []),
    ],
    coverage: {
      provider: 'v8',
      include: ['packages/*/src/**'],
      exclude: ['**/*.test.ts', '**/*.contract.ts'],
    },
  },
})
