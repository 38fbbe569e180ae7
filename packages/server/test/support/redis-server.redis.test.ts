import { afterEach, expect, test } from 'vitest'
import { type RedisServer, startRedis } from './redis-server.ts'

let redis: RedisServer | undefined
afterEach(() => redis?.stop())

test('is back on its port after a kill, without what it held', async () => {
  redis = await startRedis()
  expect(await redis.ask('SET a 1')).toBe('+OK\r\n')
  const { pid } = redis
  await redis.kill()
  await expect(redis.ask('PING')).rejects.toThrow('ECONNREFUSED')
  await redis.restart()
  expect(redis.pid).not.toBe(pid)
  expect(await redis.ask('GET a')).toBe('$-1\r\n')
})

test('brings back what its append-only file holds, until it is flushed', async () => {
  redis = await startRedis({ appendOnly: true })
  await redis.ask('SET a 1')
  await redis.kill()
  await redis.restart()
  expect(await redis.ask('GET a')).toBe('$1\r\n1\r\n')
  await redis.flush()
  expect(await redis.ask('DBSIZE')).toBe(':0\r\n')
})

test('answers nobody while it is paused, and everybody afterwards', async () => {
  redis = await startRedis()
  redis.pause()
  const answer = redis.ask('PING')
  const first = await Promise.race([answer, new Promise((resolve) => setTimeout(resolve, 50, 'silence'))])
  expect(first).toBe('silence')
  redis.resume()
  expect(await answer).toBe('+PONG\r\n')
})
