import {
  Failure,
  type Problem,
  parsePutRow,
  type putCustomersByExternalId,
  validationFailure,
} from '@crmkit/core'
import type { Change } from '../../ports/change.ts'
import type { Handler, HandlerContext, Outcome } from '../handler.ts'
import { putCustomer } from './put-customer-by-external-id.ts'

type PutRow = Outcome<typeof putCustomersByExternalId>['reply']['data'][number]

/** Stores many customers in one commit. A row that is refused leaves the others. */
export const handlePutCustomersByExternalId: Handler<typeof putCustomersByExternalId> = async (
  ctx,
  { body },
) => {
  const change: Change = { writes: [], events: [] }
  const data: PutRow[] = []
  const done = new Set<string>()
  // One after the other, so that the order of the events is that of the rows.
  for (const [index, row] of body.customers.entries()) {
    try {
      const put = await putRow(ctx, row, done)
      change.writes.push(...(put.change?.writes ?? []))
      change.events.push(...(put.change?.events ?? []))
      data.push({ index, result: put.result, customer: put.customer, problems: [] })
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      data.push({ index, result: 'refused', customer: null, problems: problemsOf(error) })
    }
  }
  return { ...(change.writes.length > 0 && { change }), reply: { success: true, data } }
}

/** `done`: the external ids and the customers of earlier rows. A commit writes a customer once. */
async function putRow(ctx: HandlerContext, row: Readonly<Record<string, unknown>>, done: Set<string>) {
  const { externalId, body } = parsePutRow(row)
  if (done.has(externalId)) throw duplicate()
  const put = await putCustomer(ctx, externalId, body)
  // A merged customer has several external ids.
  if (done.has(put.customer._id)) throw duplicate()
  done.add(externalId).add(put.customer._id)
  return put
}

function duplicate(): Failure {
  return validationFailure([
    { field: 'id', message: 'names the customer of an earlier row', rule: 'duplicate', in: 'body' },
  ])
}

function problemsOf({ details, message }: Failure): Problem[] {
  if (Array.isArray(details)) return details
  return [{ field: 'id', message, rule: 'conflict', in: 'body' }]
}
