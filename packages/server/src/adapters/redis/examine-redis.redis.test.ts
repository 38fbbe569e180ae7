import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RedisServer, startRedis } from '../../../test/support/redis-server.ts'
import { examineRedis } from './examine-redis.ts'

let redis: RedisServer
beforeAll(async () => {
  redis = await startRedis()
})
afterAll(() => redis.stop())

const outcomes = async () => (await examineRedis(redis.url)).map(({ outcome }) => outcome)

test('a Redis with its own defaults is well, and one that evicts keys is a problem with the command that mends it', async () => {
  expect(await outcomes()).toEqual(['ok', 'ok', 'ok'])
  await redis.ask('CONFIG SET maxmemory-policy allkeys-lru')
  const findings = await examineRedis(redis.url)
  expect(findings.filter(({ outcome }) => outcome !== 'ok')).toEqual([
    {
      outcome: 'problem',
      sentence: expect.stringContaining('allkeys-lru'),
      mend: expect.stringContaining('CONFIG SET maxmemory-policy noeviction'),
    },
  ])
  await redis.ask('CONFIG SET maxmemory-policy noeviction')
  expect(await outcomes()).toEqual(['ok', 'ok', 'ok'])
})

test('a Redis that refuses connections, or accepts them and says nothing, is one problem', async () => {
  await redis.pause()
  const silent = await examineRedis(redis.url)
  redis.resume()
  await redis.kill()
  const refused = await examineRedis(redis.url)
  for (const findings of [silent, refused]) {
    expect(findings).toMatchObject([
      { outcome: 'problem', sentence: expect.stringContaining('Redis cannot be reached') },
    ])
  }
})
