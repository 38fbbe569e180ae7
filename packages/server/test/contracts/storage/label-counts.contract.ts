import type { Conversation } from '@crmkit/core'
import { describe, expect, test } from 'vitest'
import type { Write } from '../../../src/ports/change.ts'
import type { LabelRange } from '../../../src/storage/label-counts.ts'
import { erasedPerCommitMax } from '../../../src/storage/rules/erased.ts'
import { type Open, useSharedStorage } from './harness.contract.ts'
import { add, at } from './samples.contract.ts'

const ever = { from: '', to: '9' }

/** Counts the labels of rows as the port describes it. */
function countsOf(rows: Iterable<Conversation>, { from, to, usedBy }: LabelRange) {
  const inRange = [...rows].filter(
    ({ createdAt, assignedTo, labels }) =>
      labels.length > 0 && createdAt >= from && createdAt <= to && (usedBy ?? assignedTo) === assignedTo,
  )
  const counts = new Map<string, number>()
  for (const { labels } of inRange)
    for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1)
  return { labelled: inRange.length, counts: Object.fromEntries(counts) }
}

export function describeLabelCounts(open: Open): void {
  describe('counts of labels', () => {
    const harness = useSharedStorage(open)

    function newTenant() {
      const { store } = harness.newTenant()
      const shown = async (range: LabelRange) => {
        const { labelled, labels } = await store.conversations.countLabels(range)
        return { labelled, counts: Object.fromEntries(labels.map(({ label, count }) => [label, count])) }
      }
      return { store, shown }
    }

    test('are those of the stored conversations after any writes, in any range and for any assignee', async () => {
      const { store, shown } = newTenant()
      const pool = [
        'billing',
        'vip',
        'bug "x"',
        'a\\b',
        '[]',
        'Ünïcode 株式会社',
        '🧵',
        "it's",
        '{"json": 1}',
      ]
      const people = [null, 'usr_1', 'usr_2']
      const rows = new Map<string, Conversation>()
      for (let index = 0; index < 60; index++) {
        const labels = pool.filter((_, position) => (index * 7 + position * position) % 5 === 0)
        const assignedTo = people[index % 3] as string | null
        const fields = { _id: `con_${index}`, labels, assignedTo, createdAt: at(100 + index) }
        const [made] = await add(store, 'conversations', [fields])
        rows.set(fields._id, made as Conversation)
      }
      for (let index = 0; index < 60; index += 2) {
        const id = `con_${index}`
        const set = [{ labels: ['new', 'vip'] }, { labels: [] }, { assignedTo: 'usr_2' }][index % 3] as object
        const update = { op: 'update', kind: 'conversations', id, expectVersion: 1, set } as const
        const write: Write =
          index % 10 === 0 ? { op: 'remove', kind: 'conversations', id, expectVersion: 1 } : update
        await store.commit({ writes: [write], events: [] })
        if (write.op === 'remove') rows.delete(id)
        else rows.set(id, { ...(rows.get(id) as Conversation), ...set })
      }
      const ranges: LabelRange[] = [
        ever,
        { from: at(120), to: at(139) },
        { from: at(130), to: at(130) },
        { from: at(130), to: at(129) },
        { ...ever, usedBy: 'usr_2' },
        { from: at(110), to: at(150), usedBy: 'usr_1' },
        { ...ever, usedBy: 'usr_unknown' },
      ]
      for (const range of ranges) expect(await shown(range)).toEqual(countsOf(rows.values(), range))
      expect((await shown(ever)).labelled).toBeGreaterThan(20)
    })

    test('are the same before and after days are counted, and after later writes on such days', async () => {
      const { store, shown } = newTenant()
      const pool = ['billing', 'vip', 'a']
      const rows = new Map<string, Conversation>()
      const hour = 3_600
      const add90 = async (offset: number) => {
        for (let index = offset; index < offset + 90; index++) {
          const labels = pool.filter((_, position) => (index + position) % 3 !== 0)
          const assignedTo = [null, 'usr_1', 'usr_2'][index % 3] as string | null
          // Four conversations on each day, each at another time of it.
          const fields = {
            _id: `con_${index}`,
            labels,
            assignedTo,
            createdAt: at((index % 90) * 6 * hour + index),
          }
          const [made] = await add(store, 'conversations', [fields])
          rows.set(fields._id, made as Conversation)
        }
      }
      const days = (count: number) => at(count * 24 * hour)
      const ranges: LabelRange[] = []
      for (const usedBy of [undefined, 'usr_1'])
        for (const [from, to] of [
          [days(0), days(30)],
          [days(2).replace(/.$/, ''), days(7)],
          [days(3.5), days(3.7)],
          [days(3.5), days(4.2)],
          [days(5.25), days(12.75)],
          [days(12), days(5)],
          ['', '9'],
          ['', days(4)],
          [days(9), '9'],
        ] as const)
          ranges.push(usedBy === undefined ? { from, to } : { from, to, usedBy })
      const assertRight = async () => {
        for (const range of ranges)
          expect(await shown(range), JSON.stringify(range)).toEqual(countsOf(rows.values(), range))
      }
      /** Counts every day before this one, of all tenants. */
      const count = async (before: string) => {
        for (let from: string | null = ''; from !== null; )
          from = await harness.storage.system.countLabelDay({ from, before: before.slice(0, 10) })
      }
      await add90(0)
      await assertRight()
      await count(days(8))
      await assertRight()
      await count(days(15))
      await assertRight()
      for (let index = 0; index < 90; index += 3) {
        const id = `con_${index}`
        const set = [{ labels: ['vip'] }, { labels: [] }, { assignedTo: 'usr_1' }, { assignedTo: null }][
          index % 4
        ] as object
        const update = { op: 'update', kind: 'conversations', id, expectVersion: 1, set } as const
        const write: Write =
          index % 7 === 0 ? { op: 'remove', kind: 'conversations', id, expectVersion: 1 } : update
        await store.commit({ writes: [write], events: [] })
        if (write.op === 'remove') rows.delete(id)
        else rows.set(id, { ...(rows.get(id) as Conversation), ...set })
      }
      await assertRight()
      await add90(90)
      await assertRight()
      await count('9')
      await assertRight()
    })

    test('come in their order, with spellings that differ in case only as one label in its most frequent spelling', async () => {
      const { store } = newTenant()
      const labels = ['VIP', 'vip', 'vip', 'Vip', 'b', 'a', 'Straße']
      await add(
        store,
        'conversations',
        labels.map((label) => ({ labels: [label] })),
      )
      expect(await store.conversations.countLabels(ever)).toEqual({
        labelled: 7,
        labels: [
          { label: 'vip', count: 4 },
          { label: 'Straße', count: 1 },
          { label: 'a', count: 1 },
          { label: 'b', count: 1 },
        ],
      })
    })

    test('leave out conversations that an unfinished erasure hides', async () => {
      const { store, shown } = newTenant()
      const count = erasedPerCommitMax + 5
      await add(store, 'customers', [{ _id: 'cus_erased' }, { _id: 'cus_other' }])
      const ofErased = Array.from({ length: count }, () => ({
        customerId: 'cus_erased',
        labels: ['private'],
      }))
      await add(store, 'conversations', ofErased)
      await add(store, 'conversations', [
        { customerId: 'cus_other', labels: ['public'] },
        { labels: ['public'] },
      ])
      expect(await shown(ever)).toEqual({ labelled: count + 2, counts: { private: count, public: 2 } })
      const erase = { op: 'erase', kind: 'customers', id: 'cus_erased', at: at(1) } as const
      await store.commit({ writes: [erase], events: [] })
      expect(await shown(ever)).toEqual({ labelled: 2, counts: { public: 2 } })
      while ((await store.eraseNext({ kind: 'customers', id: 'cus_erased', at: at(1), limit: 100 })) > 0);
      expect(await shown(ever)).toEqual({ labelled: 2, counts: { public: 2 } })
    })
  })
}
