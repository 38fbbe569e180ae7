import { type AnyOperation, auditActionsOf, type Operation, operations } from '@crmkit/core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { call } from '../support/call.ts'
import type { RunningService } from '../support/start-service.ts'
import { startServiceWithCrm } from '../support/start-with-crm.ts'
import { requestOf, strongestTokens } from './credentials.ts'
import { samples } from './samples.ts'
import { createSmallWorld } from './world.ts'

// Every operation is called with its sample, and the audit log must show the entry that it declares, and no other.

let running: RunningService
beforeAll(async () => {
  running = await startServiceWithCrm()
})
afterAll(() => running.stop())

interface Entry {
  _id: string
  action: string
  requestId: string
}

async function entriesOf(token: string): Promise<Entry[]> {
  const { body } = await call(running.url, { path: '/api/tenant/audit-log?limit=100', token })
  return body.data
}

const audited = operations.filter(({ method, ...operation }) => method !== 'GET' || 'audit' in operation)

it.each(audited.map((operation) => [operation.id, operation] as const))(
  '%s writes the audit entry that it declares',
  async (id, operation: AnyOperation) => {
    const world = await createSmallWorld(running)
    const token = strongestTokens(operation, world)[0]
    const request = requestOf(operation, samples[id](world))
    const reply = await call(running.url, { ...request, ...(token !== undefined && { token }) })
    expect(reply.status).toBe((operation as Operation).status)
    // The entry of a registration is in the log of the tenant that it created; a sign-out or a new password ends the
    // session.
    const reader = id === 'auth.register' ? reply.body.data.accessToken : world.tokens.admin
    const written = (await entriesOf(reader)).filter(
      ({ requestId }) => requestId === reply.headers.get('x-request-id'),
    )
    const declared = auditActionsOf(operation)
    const message = `${id} declares ${declared.join(' or ')} in packages/core/src/<area>/*-operations.ts; its sample is in packages/server/test/isolation/samples.ts`
    const actions = written.length === 0 ? ['none'] : written.map(({ action }) => action)
    expect(actions, message).toHaveLength(1)
    expect(declared, message).toContain(actions[0])
  },
)
