import { setImmediate as nextTick } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ReplyPace } from './reply-pace.ts'

const megabyte = 1024 * 1024

test('after many bytes one long reply is made each event-loop tick, tenants alternate, and later no reply waits', async () => {
  const pace = new ReplyPace()
  pace.noteWritten(4 * megabyte)
  expect(pace.slot('a')).toBeUndefined()
  pace.noteWritten(1)
  const made: string[] = []
  const ask = async (tenant: string, name: string) => {
    await pace.slot(tenant)
    made.push(name)
    pace.noteWritten(5 * megabyte)
  }
  const asked = [ask('a', 'a1'), ask('a', 'a2'), ask('a', 'a3'), ask('b', 'b1')]
  for (const count of [1, 2, 3, 4]) {
    await nextTick()
    expect(made).toHaveLength(count)
  }
  await Promise.all(asked)
  expect(made).toEqual(['a1', 'b1', 'a2', 'a3'])
  await nextTick()
  expect(pace.slot('a')).toBeUndefined()
})
