import { expect, test } from 'vitest'
import { noMeters } from '../../ports/meters.ts'
import { StorageUnavailable, UniqueConflict, UnreadRow, VersionConflict } from '../../storage/errors.ts'
import { replyToError } from './handle-error.ts'

const request = {
  requestId: 'request-1',
  method: 'GET',
  path: '/api/v1/customers/{id}',
  tenantId: 'ten_1',
  credentialId: 'key_1',
}

function replyTo(error: unknown) {
  const logged: unknown[] = []
  const log = { error: (entry: unknown) => logged.push(entry) }
  const reply = replyToError(error, { request, log: log as never, meters: noMeters })
  return { ...reply, body: JSON.parse(reply.body), logged }
}

test('an unexpected failure has a fixed text in the response, and its cause in the log with the fields of the request [error.internal]', () => {
  for (const error of [
    new Error('SELECT secret FROM keys'),
    new TypeError('x is not a function'),
    'text',
    undefined,
  ]) {
    const { status, body, logged } = replyTo(error)
    expect([status, body]).toEqual([
      500,
      {
        success: false,
        error: 'Something went wrong on our side',
        code: 'INTERNAL_ERROR',
        requestId: 'request-1',
      },
    ])
    expect(logged).toEqual([{ err: error, ...request }])
  }
})

test('an unavailable storage is a 503 with Retry-After, and a taken unique value is a 409 [own.storageAway]', () => {
  const away = replyTo(new StorageUnavailable('ECONNREFUSED mongodb://user:password@host'))
  expect([away.status, away.body.code, away.headers]).toEqual([
    503,
    'SERVICE_UNAVAILABLE',
    { 'Retry-After': '1' },
  ])
  expect(JSON.stringify(away.body)).not.toContain('password')
  const taken = replyTo(new UniqueConflict('users', 'email'))
  expect([taken.status, taken.body.code, taken.logged]).toEqual([409, 'CONFLICT', []])
})

const row = { op: 'remove', id: 'link_1', version: null } as const

test.each([
  ['a conflict with another commit invites to try again', new VersionConflict('importLinks', row), 503],
  [
    'a write of a row that was not read does not, and the log names the row',
    new UnreadRow('importLinks', row),
    500,
  ],
])('%s', (_, error, status) => {
  const { logged, headers, ...reply } = replyTo(error)
  expect(reply.status).toBe(status)
  expect('Retry-After' in (headers ?? {})).toBe(status === 503)
  expect(logged).toMatchObject([{ err: { message: expect.stringMatching(/importLinks.*remove.*link_1/) } }])
})
