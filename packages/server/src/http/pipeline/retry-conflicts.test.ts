import { setImmediate as nextTick } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { UniqueConflict, UnreadRow, VersionConflict } from '../../storage/errors.ts'
import { ConflictRetries } from './retry-conflicts.ts'

/** Work that reads a version, waits for one event-loop tick, and commits unless the version has changed. */
function sharedRow() {
  let version = 0
  let runs = 0
  const change = async () => {
    runs += 1
    const read = version
    await nextTick()
    if (version !== read) throw new VersionConflict('inboxes')
    version += 1
  }
  return { change, version: () => version, runs: () => runs }
}

test.each([
  ['one resource', () => 'inb_1'],
  ['thirty resources that share one row', (i: number) => `inb_${i}`],
])(
  'every one of thirty simultaneous changes of %s is made, with at most three runs each',
  async (_, resourceOf) => {
    const retries = new ConflictRetries()
    const { change, version, runs } = sharedRow()
    const queuesOf = (i: number) => ({ resource: resourceOf(i), tenant: 'ten_1' })
    await Promise.all(Array.from({ length: 30 }, (_, i) => retries.run(queuesOf(i), change)))
    expect(version()).toBe(30)
    expect(runs()).toBeLessThanOrEqual(3 * 30)
  },
)

test('a change is made although it conflicts a dozen times with others', async () => {
  let conflicts = 12
  const work = async () => {
    if (conflicts-- > 0) throw new VersionConflict('tenants')
    return 'made'
  }
  expect(await new ConflictRetries().run({ resource: 'a', tenant: 'ten_1' }, work)).toBe('made')
})

test('retries end after a limit: earlier for a unique value that stays taken, at once for any other error', async () => {
  const runsOf = async (error: Error) => {
    let runs = 0
    const work = async () => {
      runs += 1
      throw error
    }
    const queues = { resource: 'a', tenant: 'ten_1' }
    await expect(new ConflictRetries().run(queues, work)).rejects.toBe(error)
    return runs
  }
  expect(await runsOf(new VersionConflict('inboxes'))).toBe(22)
  expect(await runsOf(new UniqueConflict('users', 'emailNormalized'))).toBe(7)
  expect(await runsOf(new Error('broken'))).toBe(1)
})

test.each([
  ['does not exist', null],
  ['stays as it is', 3],
])(
  'work that conflicts each time over a row that %s ends as a mistake that names the row',
  async (_, version) => {
    const work = async () => {
      throw new VersionConflict('importLinks', { op: 'remove', id: 'link_1', version })
    }
    const ended = new ConflictRetries().run({ resource: 'a', tenant: 'ten_1' }, work)
    await expect(ended).rejects.toBeInstanceOf(UnreadRow)
    await expect(ended).rejects.toThrow(/importLinks: remove of link_1/)
  },
)

test('work that conflicts each time over rows that others change ends as a conflict', async () => {
  let version = 0
  const work = async () => {
    version += 1
    throw new VersionConflict('customers', { op: 'update', id: 'cus_1', version })
  }
  const ended = new ConflictRetries().run({ resource: 'a', tenant: 'ten_1' }, work)
  await expect(ended).rejects.toBeInstanceOf(VersionConflict)
})
