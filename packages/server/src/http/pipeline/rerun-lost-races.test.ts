import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { UniqueConflict, VersionConflict } from '../../storage/errors.ts'
import { LostRaces } from './rerun-lost-races.ts'

/** Work that reads a version, thinks for a turn, and commits unless the version has changed. */
function sharedRow() {
  let version = 0
  let runs = 0
  const change = async () => {
    runs += 1
    const read = version
    await nextTurn()
    if (version !== read) throw new VersionConflict('inboxes')
    version += 1
  }
  return { change, version: () => version, runs: () => runs }
}

test.each([
  ['one resource', () => 'inb_1'],
  ['thirty resources that touch one row', (i: number) => `inb_${i}`],
])('makes every one of thirty changes of %s', async (_, resourceOf) => {
  const races = new LostRaces()
  const { change, version, runs } = sharedRow()
  const deliveryQueuesOf = (i: number) => ({ resource: resourceOf(i), tenant: 'ten_1' })
  await Promise.all(Array.from({ length: 30 }, (_, i) => races.rerun(deliveryQueuesOf(i), change)))
  expect(version()).toBe(30)
  expect(runs()).toBeLessThanOrEqual(3 * 30)
})

test('makes a change although others go past it a dozen times', async () => {
  let losses = 12
  const work = async () => {
    if (losses-- > 0) throw new VersionConflict('tenants')
    return 'made'
  }
  expect(await new LostRaces().rerun({ resource: 'a', tenant: 'ten_1' }, work)).toBe('made')
})

test('gives up in the end, sooner over a value that stays taken, and at once over anything else', async () => {
  const runsOf = async (error: Error) => {
    let runs = 0
    const work = async () => {
      runs += 1
      throw error
    }
    const deliveryQueues = { resource: 'a', tenant: 'ten_1' }
    await expect(new LostRaces().rerun(deliveryQueues, work)).rejects.toBe(error)
    return runs
  }
  expect(await runsOf(new VersionConflict('inboxes'))).toBe(22)
  expect(await runsOf(new UniqueConflict('users', 'emailNormalized'))).toBe(7)
  expect(await runsOf(new Error('broken'))).toBe(1)
})
