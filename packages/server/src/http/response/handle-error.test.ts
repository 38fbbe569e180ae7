import { expect, test } from 'vitest'
import { UnreadRow, VersionConflict } from '../../storage/errors.ts'
import { replyToError } from './handle-error.ts'

const row = { op: 'remove', id: 'link_1', version: null } as const

test.each([
  ['a conflict with another commit invites to try again', new VersionConflict('importLinks', row), 503],
  [
    'a write of a row that was not read does not, and the log names the row',
    new UnreadRow('importLinks', row),
    500,
  ],
])('%s', (_, error, status) => {
  const logged: object[] = []
  const quiet = () => {}
  const log = { debug: quiet, info: quiet, warn: quiet, error: (fields: object) => void logged.push(fields) }
  const request = { requestId: 'req_1', method: 'DELETE', path: '/api/v1/customers/cus_1' }
  const reply = replyToError(error, { request, log, meters: { errorReplied: quiet } })
  expect(reply.status).toBe(status)
  expect('Retry-After' in (reply.headers ?? {})).toBe(status === 503)
  expect(logged).toMatchObject([{ err: { message: expect.stringMatching(/importLinks.*remove.*link_1/) } }])
})
