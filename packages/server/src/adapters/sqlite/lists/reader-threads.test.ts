import { expect, test } from 'vitest'
import { createReaderThreads, type ReaderName } from './reader-threads.ts'

/** Two threads whose reads end when a test says so. */
function useThreads() {
  let now = 0
  const threads = createReaderThreads(() => now)
  const started: { name: string; thread: ReaderName; end(tookMs: number): Promise<void> }[] = []
  const read = (tenantId: string, name: string) => {
    const result = threads.readPage(tenantId, (thread) => {
      const { promise, resolve } = Promise.withResolvers<{ tookMs: number }>()
      const end = async (tookMs: number) => {
        resolve({ tookMs })
        // The next read of the thread starts after the promises of this one.
        await new Promise(setImmediate)
      }
      started.push({ name, thread, end })
      return promise
    })
    return result
  }
  const names = () => started.map(({ name, thread }) => `${name} ${thread}`)
  const pass = (ms: number) => (now += ms)
  return { threads, read, started, names, pass }
}

test('reads of a tenant that was slow lately wait for each other, and no read of another tenant waits for them', async () => {
  const { read, started, names } = useThreads()
  const first = read('big', 'first')
  await started[0]?.end(80)
  await first
  for (const name of ['second', 'third']) void read('big', name)
  void read('small', 'quick')
  expect(names()).toEqual(['first quick', 'second slow', 'quick quick'])
  await started[1]?.end(80)
  expect(names().at(-1)).toBe('third slow')
})

test('slow tenants are served round-robin, so that one with many reads delays another one by two of them at most', async () => {
  const { read, started, names } = useThreads()
  for (const tenant of ['big', 'other']) {
    const done = read(tenant, `${tenant} 0`)
    await started.at(-1)?.end(80)
    await done
  }
  for (const name of ['big 1', 'big 2', 'big 3']) void read('big', name)
  void read('other', 'other 1')
  for (const _ of ['big 1', 'big 2', 'other 1']) await started.at(-1)?.end(80)
  expect(names().slice(2)).toEqual(['big 1 slow', 'big 2 slow', 'other 1 slow', 'big 3 slow'])
})

test('a tenant whose reads are quick again shares the thread of quick reads after ten seconds', async () => {
  const { read, started, names, pass } = useThreads()
  void read('big', 'slow')
  await started[0]?.end(80)
  void read('big', 'quick')
  await started[1]?.end(2)
  pass(10_000)
  void read('big', 'later')
  expect(names()).toEqual(['slow quick', 'quick slow', 'later quick'])
})

test('a read that fails reports its error, and the next one of the slow thread runs', async () => {
  const { threads } = useThreads()
  const failing = threads.count('big', () => Promise.reject(new Error('damaged')))
  const next = threads.count('big', async () => 7)
  await expect(failing).rejects.toThrow('damaged')
  expect(await next).toBe(7)
})
