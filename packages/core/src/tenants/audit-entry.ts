import { z } from 'zod'
import { ownId, tenantId } from '../shared/common-fields.ts'
import { timestamp } from '../shared/text.ts'

export const auditEntry = z
  .object({
    _id: ownId('entry'),
    tenantId,
    at: timestamp.describe('Time of the action.'),
    actor: z
      .object({
        type: z
          .enum(['user', 'apiKey', 'system'])
          .describe('Kind of the actor; `system` is the service itself.'),
        _id: z.string().nullable().describe('Id of the user or the key; null for `system`.'),
      })
      .describe('The user, key or service that acted.'),
    action: z.string().describe('Resource and event, such as `apiKey.revoked`.'),
    target: z
      .object({
        type: z.string().describe('Kind of the resource.'),
        _id: z.string().describe('Id of the resource.'),
      })
      .describe('The resource that was changed.'),
    reason: z.string().nullable().describe('Reason that the caller gave.'),
    changed: z
      .array(z.string())
      .describe('Paths of the changed fields; empty when the action says everything.'),
    count: z
      .int()
      .describe('How many times it happened within a quarter of an hour, from `at`; 1 for most actions.'),
    requestId: z.string().nullable().describe('`X-Request-Id` of the request; null for `system`.'),
  })
  .meta({
    id: 'AuditEntry',
    description: 'One action in the audit log. It holds ids and names of fields, never their values.',
  })
