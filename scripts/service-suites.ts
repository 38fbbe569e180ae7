// Test suites that need services which not every machine has. Such a file says so in its name
// (`claims.mongodb.test.ts`, `two-of-each.mongodb.redis.test.ts`); `npm test` leaves it out until each of its services
// is named, and says that it did.
import { globSync } from 'node:fs'
import { basename } from 'node:path'

interface TestService {
  /** A part of the file name before `.test.ts`. */
  readonly tag: string
  readonly name: string
  /** Says where the service's program is; unset leaves its suites out. */
  readonly variable: string
}

const testServices: readonly TestService[] = [
  { tag: 'mongodb', name: 'MongoDB', variable: 'MONGOMS_SYSTEM_BINARY' },
  { tag: 'redis', name: 'Redis', variable: 'CRM_TEST_REDIS_BINARY' },
  { tag: 'chromium', name: 'Chromium', variable: 'CRM_TEST_CHROMIUM' },
]

const missingServices = testServices.filter((service) => !process.env[service.variable])

/** Globs of the test files that cannot run on this machine as it is. */
export const leftOutPatterns: readonly string[] = missingServices.flatMap(({ tag }) => [
  `**/*.${tag}.test.ts`,
  `**/*.${tag}.*.test.ts`,
])

/** Suites that run a second time, on MongoDB, when there is one. */
export const mongoWorldSuites: readonly string[] = ['http/*', 'isolation/*', 'journeys/first-webhook'].map(
  (name) => `packages/server/test/${name}.test.ts`,
)
export const hasMongoWorld = missingServices.every(({ tag }) => tag !== 'mongodb')

function namesOf(services: readonly TestService[], field: 'name' | 'variable'): string {
  return services.map((service) => service[field]).join(' and ')
}

/** One line for every suite that is left out, with the reason. */
export function describeLeftOutSuites(): string[] {
  const files = globSync('{packages,examples}/**/*.test.ts', {
    exclude: (path) => path.includes('node_modules'),
  })
  const suites = files.sort().flatMap((file) => {
    const tags = basename(file).split('.')
    const missing = missingServices.filter(({ tag }) => tags.includes(tag))
    if (missing.length === 0) return []
    return [`${file}: needs ${namesOf(missing, 'name')}; set ${namesOf(missing, 'variable')} to run it`]
  })
  const worlds = mongoWorldSuites.map(
    (pattern) => `${pattern} on MongoDB: set MONGOMS_SYSTEM_BINARY to a mongod to run it there too`,
  )
  return [...suites, ...(hasMongoWorld ? [] : worlds)]
}
