import { afterEach, expect, test } from 'vitest'
import { type RedisServer, startRedis } from './redis-server.ts'

let redis: RedisServer | undefined
afterEach(() => redis?.stop())

test('a test Redis is back on its port after a kill, without its data', async () => {
  redis = await startRedis()
  expect(await redis.ask('SET a 1')).toBe('+OK\r\n')
  const { pid } = redis
  await redis.kill()
  await expect(redis.ask('PING')).rejects.toThrow('ECONNREFUSED')
  await redis.restart()
  expect(redis.pid).not.toBe(pid)
  expect(await redis.ask('GET a')).toBe('$-1\r\n')
})

test('a test Redis restores its append-only file, until it is flushed', async () => {
  redis = await startRedis({ appendOnly: true })
  await redis.ask('SET a 1')
  await redis.kill()
  await redis.restart()
  expect(await redis.ask('GET a')).toBe('$1\r\n1\r\n')
  await redis.flush()
  expect(await redis.ask('DBSIZE')).toBe(':0\r\n')
})

test('a test Redis replies to no client while it is paused, and to every client afterwards', async () => {
  redis = await startRedis()
  await redis.pause()
  const response = redis.ask('PING')
  const first = await Promise.race([response, new Promise((resolve) => setTimeout(resolve, 50, 'silence'))])
  expect(first).toBe('silence')
  redis.resume()
  expect(await response).toBe('+PONG\r\n')
})
