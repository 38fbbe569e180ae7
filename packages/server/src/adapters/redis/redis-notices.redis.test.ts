import { setImmediate as nextTick } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { describeNoticesContract } from '../../../test/contracts/notices.contract.ts'
import { startRedis } from '../../../test/support/redis-server.ts'
import type { TenantId } from '../../storage/records.ts'
import { openRedisNotices } from './redis-notices.ts'

const ignore = () => {}

describeNoticesContract('notices by Redis', async () => {
  const redis = await startRedis()
  const { url } = redis
  return {
    join: async () => openRedisNotices({ url, installationId: 'ours', onError: ignore }),
    joinOther: async () => openRedisNotices({ url, installationId: 'theirs', onError: ignore }),
    interrupt: async () => {
      await redis.kill()
      await redis.restart()
    },
    close: () => redis.stop(),
  }
})

test('listens although Redis is unavailable at the start, and reports a gap when it comes', async () => {
  const redis = await startRedis()
  await redis.kill()
  const notices = openRedisNotices({ url: redis.url, installationId: 'ours', onError: ignore })
  const gap = Promise.withResolvers<void>()
  await notices.listen({ onNotice: ignore, onGap: gap.resolve })
  notices.publish({ type: 'events', tenantId: 'ten_1' as TenantId })
  await redis.restart()
  await gap.promise
  await notices.close()
  await redis.stop()
})

test('messages that are no notices are ignored: the server is shared', async () => {
  const redis = await startRedis()
  const [a, b] = ['a', 'b'].map(() =>
    openRedisNotices({ url: redis.url, installationId: 'ours', onError: ignore }),
  ) as [ReturnType<typeof openRedisNotices>, ReturnType<typeof openRedisNotices>]
  const heard: unknown[] = []
  await b.listen({
    onGap: ignore,
    onNotice: (notice) => void heard.push(notice),
  })
  await redis.ask('PUBLISH crmkit:{ours}:notices no-json')
  await redis.ask(
    'PUBLISH crmkit:{ours}:notices "{\\"from\\":\\"x\\",\\"notices\\":[{\\"type\\":\\"credentials\\"}]}"',
  )
  // A notice of a newer version is ignored; other notices of the same message are not.
  await redis.ask(
    'PUBLISH crmkit:{ours}:notices "{\\"from\\":\\"x\\",\\"notices\\":[{\\"type\\":\\"later\\"},{\\"type\\":\\"commits\\"}]}"',
  )
  const notice = { type: 'credentials', tenantId: null } as const
  a.publish(notice)
  await expect.poll(() => heard).toEqual([{ type: 'commits' }, notice])
  await Promise.all([a.close(), b.close()])
  await redis.stop()
})

test('while Redis hangs, equal notices are held only once', async () => {
  const redis = await startRedis()
  const [a, b] = [0, 1].map(() =>
    openRedisNotices({ url: redis.url, installationId: 'ours', onError: ignore }),
  ) as [ReturnType<typeof openRedisNotices>, ReturnType<typeof openRedisNotices>]
  const heard: string[] = []
  const last = { type: 'credentials', tenantId: null } as const
  const hasEnded = Promise.withResolvers<void>()
  await b.listen({
    onGap: ignore,
    onNotice: ({ type }) => {
      heard.push(type)
      if (type === last.type) hasEnded.resolve()
    },
  })
  await redis.pause()
  for (let round = 0; round < 1_000; round++) {
    a.publish({ type: 'commits' })
    await nextTick()
  }
  redis.resume()
  a.publish(last)
  await hasEnded.promise
  expect(heard.length).toBeLessThan(10)
  await Promise.all([a.close(), b.close()])
  await redis.stop()
})
