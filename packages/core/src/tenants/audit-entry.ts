import { z } from 'zod'
import { timestamp } from '../shared/text.ts'

/** Who did what to which resource, and when. Holds ids and names of fields, never their values. */
export const auditEntry = z
  .object({
    _id: z.string(),
    tenantId: z.string(),
    at: timestamp,
    /** `_id` is null where the service itself acted. */
    actor: z.object({ type: z.enum(['user', 'apiKey', 'system']), _id: z.string().nullable() }),
    /** `<resource>.<what happened>`, such as `apiKey.revoked`. */
    action: z.string(),
    target: z.object({ type: z.string(), _id: z.string() }),
    reason: z.string().nullable(),
    /** Paths of the fields that changed; empty where the action says it all. */
    changed: z.array(z.string()),
    requestId: z.string().nullable(),
  })
  .meta({ id: 'AuditEntry' })
