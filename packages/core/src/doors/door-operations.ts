import { z } from 'zod'
import { defineOperation, sessionOrKey } from '../contract/define-operation.ts'
import { listOf } from '../contract/envelopes.ts'
import { pageQuery } from '../shared/page.ts'
import { door } from './door.ts'

export const listDoors = defineOperation({
  id: 'doors.list',
  method: 'GET',
  path: '/api/v1/doors',
  auth: sessionOrKey('read:conversations'),
  summary: 'List the doors that do not work, newest first',
  description:
    'A door is listed after 15 minutes of trouble, or at once when its sign-in is refused, until 15 minutes have passed without any. `inbox.failing`, `inbox.recovered`, `integration.failing` and `integration.recovered` report the same.',
  request: { query: z.object(pageQuery(20)) },
  status: 200,
  response: listOf(door),
})
