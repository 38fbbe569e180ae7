import { describe, expect, it } from 'vitest'
import { reportLeftOut } from './service-suites.ts'

const leftOut = ['a.mongodb.test.ts: needs MongoDB', 'b.redis.test.ts: needs Redis']

describe('the report of the suites that a run leaves out', () => {
  it('is listed after a whole run, whatever its reporter', () => {
    expect(reportLeftOut([], leftOut)).toEqual(leftOut)
    expect(reportLeftOut(['--reporter=dot'], leftOut)).toEqual(leftOut)
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
