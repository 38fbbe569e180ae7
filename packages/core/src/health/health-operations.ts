import { z } from 'zod'
import { defineOperation, publicAccess } from '../contract/define-operation.ts'
import { dataOf } from '../contract/envelopes.ts'

const check = z.enum(['ok', 'failing'])

export const getHealth = defineOperation({
  id: 'health.get',
  method: 'GET',
  path: '/api/v1/health',
  auth: publicAccess,
  summary: 'Report whether the service works; 503 when its storage fails, and before it stops',
  status: 200,
  response: dataOf(
    z
      .object({
        status: z.literal('ok').describe('Always `ok`. A service that fails sends 503.'),
        version: z.string().describe('Version of the service.'),
        schema: z.int().describe('Schema of the database that this version works with.'),
        commit: z
          .string()
          .nullable()
          .describe('Commit that the service was built of; null when it runs from the sources.'),
        uptimeSeconds: z.number().describe('Seconds since the process started.'),
        checks: z
          .object({
            storage: check.describe('Whether the database can be written.'),
            jobs: check.describe('Whether background jobs run.'),
          })
          .describe('State of each part.'),
      })
      .meta({ id: 'Health', description: 'State of the service.' }),
  ),
})

export const getLiveness = defineOperation({
  id: 'health.getLiveness',
  method: 'GET',
  path: '/api/v1/health/live',
  auth: publicAccess,
  summary: 'Report that the process responds, whatever its storage does: a supervisor need not start it anew',
  status: 200,
  response: dataOf(
    z
      .object({ status: z.literal('ok').describe('Always `ok`.') })
      .meta({ id: 'Liveness', description: 'Sign of life of the process.' }),
  ),
})
