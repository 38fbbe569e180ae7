import { z } from 'zod'
import { defineOperation, publicAccess } from '../contract/define-operation.ts'
import { dataOf } from '../contract/envelopes.ts'

const check = z.enum(['ok', 'failing'])

export const getHealth = defineOperation({
  id: 'health.get',
  method: 'GET',
  path: '/api/v1/health',
  auth: publicAccess,
  summary: 'Tell whether the service works; 503 when its storage does not',
  status: 200,
  response: dataOf(
    z
      .object({
        status: z.literal('ok'),
        version: z.string(),
        uptimeSeconds: z.number(),
        checks: z.object({ storage: check, jobs: check }),
      })
      .meta({ id: 'Health' }),
  ),
})
