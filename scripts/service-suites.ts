// Test suites that need a service which not every machine has. Such a file says so in its name
// (`claims.mongodb.test.ts`); `npm test` leaves it out until the service's address is given, and says that it did.
import { globSync } from 'node:fs'

export interface TestService {
  /** The part of the file name before `.test.ts`. */
  readonly tag: string
  readonly name: string
  /** Says where the service, or its program, is; unset leaves its suites out. */
  readonly variable: string
}

const testServices: readonly TestService[] = [
  { tag: 'mongodb', name: 'MongoDB', variable: 'MONGOMS_SYSTEM_BINARY' },
  { tag: 'redis', name: 'Redis', variable: 'CRM_TEST_REDIS_URL' },
  { tag: 'chromium', name: 'Chromium', variable: 'CRM_TEST_CHROMIUM' },
]

const missingServices = testServices.filter((service) => !process.env[service.variable])

/** Globs of the test files that cannot run on this machine as it is. */
export const leftOutPatterns: readonly string[] = missingServices.map(
  (service) => `**/*.${service.tag}.test.ts`,
)

/** Suites that run a second time, on MongoDB, when there is one. */
export const mongoWorldSuites: readonly string[] = ['http/*', 'isolation/*', 'journeys/first-webhook'].map(
  (name) => `packages/server/test/${name}.test.ts`,
)
export const hasMongoWorld = missingServices.every(({ tag }) => tag !== 'mongodb')

/** One line for every suite that is left out, with the reason. */
export function describeLeftOutSuites(): string[] {
  const suites = missingServices.flatMap((service) =>
    globSync(`{packages,examples}/**/*.${service.tag}.test.ts`, {
      exclude: (path) => path.includes('node_modules'),
    })
      .sort()
      .map((file) => `${file}: needs ${service.name}; set ${service.variable} to run it`),
  )
  const worlds = mongoWorldSuites.map(
    (pattern) => `${pattern} on MongoDB: set MONGOMS_SYSTEM_BINARY to a mongod to run it there too`,
  )
  return [...suites, ...(hasMongoWorld ? [] : worlds)]
}
