import { describe, expect, test } from 'vitest'
import type { Operation } from './define-operation.ts'
import { operations } from './operations.ts'
import { requestExamples } from './request-examples.ts'

const withBody = (operations as readonly Operation[]).filter(({ request }) => request?.body !== undefined)

describe('examples of bodies', () => {
  test.each(withBody)('$id has one, and it is valid', ({ id, request, rules = [] }) => {
    const example = requestExamples[id as keyof typeof requestExamples]
    expect(example).toBeDefined()
    expect(request?.body?.safeParse(example)).toMatchObject({ success: true })
    for (const rule of rules) expect(rule.check(example as Record<string, unknown>)).toBeUndefined()
  })
})
