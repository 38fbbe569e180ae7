import {
  ApiError,
  ConflictError,
  ConnectionError,
  RateLimitError,
  ServerError,
  TimeoutError,
} from '@crmkit/sdk'
import { expect, test } from 'vitest'
import { problemOf } from '../src/api/problem.ts'
import { secondTime } from '../src/strings/times.ts'

const programmerWords = /baseUrl|\/api\/v1|POST|retryAfter/

function refused(status: number, own?: string) {
  return {
    status,
    code: 'SOME_CODE',
    details: undefined,
    requestId: 'req-1',
    retryAfterMs: undefined,
    body: own === undefined ? '<html>' : { success: false, error: own },
  }
}

const sdkText = 'POST /api/v1/messages failed. Is baseUrl right?'

test.each([
  ['no connection', new ConnectionError(sdkText), /could not be reached/],
  ['a timeout', new TimeoutError('attempt', 1_000), /did not respond in time/],
  ['a limit without a time', new RateLimitError(sdkText, refused(429, 'Slow down')), /Too many requests/],
  ['a failure of the service', new ServerError(sdkText, refused(500, 'It broke')), /The server failed/],
  ['the response of a proxy', new ServerError(sdkText, refused(502)), /The server failed/],
  ['a conflict', new ConflictError(sdkText, refused(409, 'Not in this state')), /changed in the meantime/],
  [
    'a state in which it is refused',
    new ConflictError(sdkText, { ...refused(409, 'Nothing to test'), code: 'INVALID_STATE' }),
    /not possible as it is now/,
  ],
  [
    'something that was deleted',
    new ApiError(sdkText, refused(404, 'There is no such resource')),
    /does not exist, or it was deleted/,
  ],
  ['something too large', new ApiError(sdkText, refused(413, 'Too large')), /larger than/],
  ['a refusal of a proxy', new ApiError(sdkText, refused(403)), /Something went wrong/],
  ['a fault of the console', new TypeError(sdkText), /Something went wrong/],
])('%s is a sentence for people', (_name, error, sentence) => {
  const problem = problemOf(error)
  expect(problem.sentence).toMatch(sentence)
  expect(problem.sentence).not.toMatch(programmerWords)
  expect(problem.detail).not.toBe('')
})

test('a limit says the second at which it goes on', () => {
  const before = Date.now()
  const { sentence } = problemOf(
    new RateLimitError(sdkText, { ...refused(429, 'Slow down'), retryAfterMs: 90_000 }),
  )
  const after = Date.now()
  const seconds = [before, after].map((ms) => secondTime(ms + 90_000))
  expect(seconds.some((second) => sentence.includes(`at ${second}`))).toBe(true)
})

test('a refusal has the sentence of the service; the id of the request is a detail', () => {
  const { sentence, detail } = problemOf(new ApiError(sdkText, refused(422, 'The name is too long')))
  expect([sentence, detail]).toEqual(['The name is too long', 'Request req-1'])
})

test('the words behind a sentence of a class are a detail', () => {
  const { detail } = problemOf(new ConflictError(sdkText, refused(409, 'Not in this state')))
  expect(detail).toBe('Not in this state Request req-1')
})
