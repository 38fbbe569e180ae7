import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startProxy } from '../../../test/support/cuttable-proxy.ts'
import { type RedisServer, startRedis } from '../../../test/support/redis-server.ts'
import { silentLog } from '../../../test/support/silent-log.ts'
import { jobNames } from '../../main/compose/job-registry.ts'
import { createLog } from '../../main/config/log.ts'
import type { JobQueue } from '../../ports/job-queue.ts'
import type { Log } from '../../ports/log.ts'
import { createInProcessQueue } from '../in-process/in-process-queue.ts'
import { openBullmqQueue } from './bullmq-queue.ts'

let redis: RedisServer
let cleanups: (() => unknown)[] = []
beforeEach(async () => {
  redis = await startRedis()
})
afterEach(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup()
  cleanups = []
  await redis.stop()
})

function join(url = redis.url, log: Log = silentLog): JobQueue {
  const local = createInProcessQueue()
  const queue = openBullmqQueue({ url, installationId: 'ours', jobs: jobNames, local, log })
  cleanups.push(() => queue.stop())
  return queue
}

async function startWorker(): Promise<void> {
  await join().start(async () => {})
}

const untilHealthy = (queue: JobQueue) => expect.poll(() => queue.isHealthy()).toBe(true)

const asksAbout = '$4\r\ninfo\r\n'

/** A connection to Redis on which the second question about the server never gets a response. */
async function startForgetfulProxy(): Promise<string> {
  let questions = 0
  const server = createServer((inward) => {
    const outward = connect(Number(new URL(redis.url).port), '127.0.0.1')
    inward.on('error', () => {}).on('close', () => outward.destroy())
    outward.on('error', () => {}).on('close', () => inward.destroy())
    outward.pipe(inward)
    inward.on('data', (data) => {
      if (data.includes(asksAbout)) questions += 1
      if (!data.includes(asksAbout) || questions !== 2) outward.write(data)
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  cleanups.push(() => server.close())
  return `redis://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('a Redis that goes silent right after a process has connected does not make its queue useless permanently', async () => {
  await startWorker()
  await untilHealthy(join(await startForgetfulProxy()))
})

test('a connection whose other end vanished is replaced by a new one', async () => {
  await startWorker()
  const proxy = await startProxy({ host: '127.0.0.1', port: Number(new URL(redis.url).port) })
  cleanups.push(() => proxy.stop())
  const queue = join(`redis://127.0.0.1:${proxy.port}`)
  await untilHealthy(queue)
  proxy.silence()
  await expect.poll(() => queue.isHealthy()).toBe(false)
  await untilHealthy(queue)
})

test('the log never shows the password that Redis refuses', async () => {
  await redis.ask('CONFIG SET requirepass another')
  const line = Promise.withResolvers<string>()
  join(
    redis.url.replace('//', '//:hunter2hunter2@'),
    createLog('debug', { write: (text) => line.resolve(text) }),
  )
  expect(await line.promise).toContain('WRONGPASS')
  expect(await line.promise).not.toContain('hunter2')
})
