import { describe, expect, it, test } from 'vitest'
import { markedForNight, reportLeftOut, slowSuites, slowSuitesLeft, suitesOfNight } from './service-suites.ts'

const leftOut = ['a.mongodb.test.ts: needs MongoDB', 'b.redis.test.ts: needs Redis']

describe('the report of the suites that a run leaves out', () => {
  it('is listed after a whole run, whatever its reporter', () => {
    const whole = [
      ...leftOut,
      ...suitesOfNight.map((file) => `${file}: runs at night`),
      `${slowSuitesLeft.length} slow suites: npm run verify runs all of them, a landing a tenth`,
    ]
    expect(reportLeftOut([], leftOut)).toEqual(whole)
    expect(reportLeftOut(['--reporter=dot'], leftOut)).toEqual(whole)
  })

  it.each([['packages/core'], ['--project=sqlite'], ['--project', 'core']])(
    'is one line after a run of a part: %s',
    (...args) => {
      expect(reportLeftOut(args, leftOut)).toEqual([
        '2 suites and worlds that need a service; npm test without a path lists them',
      ])
    },
  )

  it('is nothing on a machine with all services', () => {
    expect(reportLeftOut(['packages/core'], [])).toEqual([])
  })
})

test.each(markedForNight())('$file, which runs at night, says what holds its promise by day', ({ byDay }) => {
  expect(byDay).toMatch(/^[a-z].* .*\.$/)
})

test('suites that take long have turns, the longest first, but none that proves isolation', () => {
  const isolation = 'packages/server/test/isolation/matrix.test.ts'
  expect(slowSuites({ 'a.test.ts': 20, 'b.test.ts': 90, [isolation]: 300 })).toEqual([
    'b.test.ts',
    'a.test.ts',
  ])
})
