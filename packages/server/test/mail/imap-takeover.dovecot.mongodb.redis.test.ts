import { afterAll, beforeAll, test } from 'vitest'
import { killMailboxHolder } from '../support/mailbox-takeover.ts'
import { dropDatabase, newDatabaseUrl } from '../support/mongo-database.ts'
import { type RedisServer, startRedis } from '../support/redis-server.ts'

const databaseUrl = newDatabaseUrl()
let redis: RedisServer
beforeAll(async () => {
  redis = await startRedis()
})
afterAll(async () => {
  await redis?.stop()
  await dropDatabase(databaseUrl)
})

test(
  'on MongoDB a mailbox is read by one process at a time, and when that is killed soon by another one, without a lost or a doubled mail [own.mail.imap.holder]',
  {
    timeout: 180_000,
  },
  () =>
    killMailboxHolder(
      {
        CRM_DATABASE_URL: databaseUrl,
        CRM_REDIS_URL: redis.url,
        CRM_JWT_SECRET: 'the tests sign the tokens of sessions with this',
        CRM_SECRETS_KEY: 'the tests seal the secrets of mailboxes with this',
      },
      { isBeside: true },
    ),
)
