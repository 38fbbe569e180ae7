import { createIdFactory } from '@crmkit/core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createRunTasks, type TaskHandler } from '../../src/jobs/run-tasks.ts'
import { taskHandlers } from '../../src/main/compose/job-registry.ts'
import type { TenantId } from '../../src/storage/records.ts'
import { noRecords } from '../support/no-records.ts'
import { silentLog } from '../support/silent-log.ts'
import { openTestDatabase } from '../support/test-world.ts'
import { insertOf, sample } from './storage/samples.contract.ts'

type Opened = Awaited<ReturnType<typeof openTestDatabase>>

let opened: Opened
let nowMs: number
/** The tasks that got a page, in order. */
let pages: string[]
beforeEach(async () => {
  opened = await openTestDatabase()
  nowMs = Date.parse('2026-11-21T12:00:00.000Z')
  pages = []
})
afterEach(async () => {
  await opened.storage.close()
  await opened.remove()
})

const clock = { nowMs: () => nowMs }
const ids = createIdFactory(clock.nowMs)

/** Each task has so many pages with work. */
function job(pagesOf: (id: string) => number, onPage: (id: string) => Promise<void> = async () => {}) {
  const handler: TaskHandler = async (_ctx, { _id }) => {
    pages.push(_id)
    await onPage(_id)
    const done = pages.filter((id) => id === _id).length
    return done > pagesOf(_id) ? undefined : { writes: [], events: [] }
  }
  return createRunTasks({
    storage: opened.storage,
    clock,
    ids,
    log: silentLog,
    attachments: { remove: async () => {} },
    handlers: { ...taskHandlers, eraseCustomer: handler },
    steps: [],
    senderOfMail: async () => null,
    erasures: noRecords,
    holder: ids.next('tsk'),
  })
}

const newTenant = () => ids.next('ten') as TenantId

async function addTasks(tenantId: TenantId, names: readonly string[]): Promise<void> {
  const requestedAt = new Date(nowMs).toISOString()
  for (let from = 0; from < names.length; from += 500) {
    const writes = names.slice(from, from + 500).map((name) => {
      const row = { _id: `tsk_${name}`, type: 'eraseCustomer', subjectId: name, requestedAt } as const
      return insertOf('tasks', sample.tasks(tenantId, row))
    })
    await opened.storage.forTenant(tenantId).commit({ writes, events: [] })
  }
}

const many = (count: number) => Array.from({ length: count }, (_, at) => `a${String(at).padStart(5, '0')}`)

test('a tenant with 10,000 erasures holds up no task of another one, also of one that comes later', async () => {
  const [busy, other, late] = [newTenant(), newTenant(), newTenant()]
  await addTasks(busy, many(10_000))
  await addTasks(other, ['other'])
  const running = job(
    () => 1,
    async () => {
      if (pages.length === 50) await addTasks(late, ['late'])
      if (pages.length === 60) await running.stop?.()
    },
  )
  await running.runDue()
  expect(pages.indexOf('tsk_other')).toBeLessThan(2)
  expect(pages.indexOf('tsk_late')).toBeGreaterThanOrEqual(50)
  expect(pages.indexOf('tsk_late')).toBeLessThan(53)
})

test('a long task of a tenant holds up none of its others, and every task gets its pages', async () => {
  const names = many(250)
  await addTasks(newTenant(), ['0long', ...names])
  await job((id) => (id === 'tsk_0long' ? 20 : 1)).runDue()
  expect(pages.filter((id) => id === 'tsk_0long')).toHaveLength(21)
  expect(pages.lastIndexOf('tsk_0long')).toBeGreaterThan(pages.indexOf('tsk_a00150'))
  for (const name of names) expect(pages.filter((id) => id === `tsk_${name}`)).toHaveLength(2)
})

test('a task that is done is asked once more when no earlier request can be left, and not every second until then', async () => {
  const tenantId = newTenant()
  await addTasks(tenantId, ['one'])
  const running = job(() => 0)
  for (let second = 0; second < 9; second++) {
    await running.runDue()
    nowMs += 1_000
  }
  expect(pages).toHaveLength(1)
  nowMs += 2_000
  await running.runDue()
  expect(pages).toHaveLength(2)
  expect(await opened.storage.system.listTasks(1)).toEqual([])
})
