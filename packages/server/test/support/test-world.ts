import { dropDatabase, newDatabaseUrl } from './mongo-database.ts'

/** What a service under test stands on. The same tests run in every world: see vitest.config.ts. */
export interface TestWorld {
  variables: Record<string, string>
  remove(): Promise<void>
}

/** An empty world of its own: SQLite in the data directory, or a database where `CRM_TEST_WORLD` is `mongodb`. */
export function newTestWorld(): TestWorld {
  if (process.env['CRM_TEST_WORLD'] !== 'mongodb') return { variables: {}, remove: async () => {} }
  const databaseUrl = newDatabaseUrl()
  return {
    variables: {
      CRM_DATABASE_URL: databaseUrl,
      CRM_JWT_SECRET: 'the tests sign the tokens of sessions with this',
      CRM_SECRETS_KEY: 'the tests seal the secrets of webhooks with this',
    },
    remove: () => dropDatabase(databaseUrl),
  }
}
