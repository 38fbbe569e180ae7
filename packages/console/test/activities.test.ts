import { describe, expect, it } from 'vitest'
import { makeActivity, makeMessage } from '../../sdk/src/testing/index.ts'
import { behindLast, groupsAbove } from '../src/features/thread/activity-groups.ts'
import { isInTimeline } from '../src/store/activities.ts'

const second = (n: number) => new Date(Date.UTC(2026, 0, 1) + n * 1_000).toISOString()
const by = (_id: string) => ({ type: 'user', _id, name: _id }) as const
const change = (n: number, user = 'usr_ada') =>
  makeActivity({ _id: `act_${String(n).padStart(4, '0')}`, at: second(n), actor: by(user) })
const message = (n: number) => makeMessage({ _id: `msg_${n}`, createdAt: second(n) })

/** The seconds of the changes of each group, by the id of the message below. */
function shown(...[activities, messages, isFromBeginning]: Parameters<typeof groupsAbove>) {
  return [...groupsAbove(activities, messages, isFromBeginning)].map(([id, groups]) => [
    id,
    groups.map((group) => group.activities.map(({ at }) => (Date.parse(at) - Date.UTC(2026, 0, 1)) / 1_000)),
  ])
}

describe('the changes of a conversation', () => {
  it('stand above the message that came after them, or at the same moment, and behind the last one', () => {
    const messages = [message(10), message(200)]
    expect(shown([change(10), change(100), change(300)], messages, true)).toEqual([
      ['msg_10', [[10]]],
      ['msg_200', [[100]]],
      [behindLast, [[300]]],
    ])
  })

  it('are one line when one person makes them within a minute and no message comes between', () => {
    const mine = [change(0), change(30), change(59), change(61)]
    expect(shown(mine, [], true)).toEqual([[behindLast, [[0, 30, 59], [61]]]])
    expect(shown([change(0), change(1, 'usr_ben'), change(2)], [], true)).toEqual([
      [behindLast, [[0], [1], [2]]],
    ])
    expect(shown([change(0), change(20)], [message(10)], true)).toEqual([
      ['msg_10', [[0]]],
      [behindLast, [[20]]],
    ])
  })

  it('of the time before the oldest message that was read are not shown', () => {
    expect(shown([change(0), change(15)], [message(10), message(20)], false)).toEqual([['msg_20', [[15]]]])
    expect(shown([change(0)], [], false)).toEqual([])
  })

  it('are read again for the fields that the timeline names, and for no others', () => {
    const both = { from: 1, to: 2 }
    expect(['status', 'assignedTo', 'labels'].every((field) => isInTimeline({ [field]: both }))).toBe(true)
    expect([isInTimeline({ readAt: both, messageCount: both }), isInTimeline(undefined)]).toEqual([
      false,
      false,
    ])
  })
})
