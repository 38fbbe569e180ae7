import type { DeliveryLog, Webhook } from '@crmkit/sdk'
import { relativeTime } from '../../output/format-time.ts'
import { counted } from '../../output/plural.ts'
import type { Client } from '../../profile/open-client.ts'
import { type Check, failed, messageOf, ok, skipped, warning } from './check.ts'

/** Checks the last attempt of every active webhook; with `isSending` a test event is sent first. */
export async function checkWebhooks(client: Client, { isSending }: { isSending: boolean }): Promise<Check[]> {
  const { PermissionError } = await import('@crmkit/sdk')
  try {
    const webhooks = await client.call((crm) => crm.webhooks.list({ isActive: true }).toArray())
    if (webhooks.length === 0) return [skipped('webhooks', 'there is no active webhook')]
    const checks: Check[] = []
    // Sequential: a test waits up to five seconds, and a rate limit per minute applies to tests.
    for (const webhook of webhooks) {
      checks.push(await checkWebhook(client, webhook, isSending))
      checks.push(...(await checkLostDeliveries(client, webhook)))
    }
    return checks
  } catch (error) {
    if (error instanceof PermissionError)
      return [skipped('webhooks', 'this credential has no permission for webhooks')]
    return [failed('webhooks', messageOf(error))]
  }
}

async function checkWebhook({ call }: Client, { _id, name }: Webhook, isSending: boolean): Promise<Check> {
  const check = `webhook ${name}`
  const last = isSending
    ? await call((crm) => crm.webhooks.test(_id))
    : await call((crm) => lastAttempt(crm, _id))
  if (!last) return skipped(check, 'no event was sent yet; --send-tests sends one')
  const when = last.deliveredAt === null ? '' : `, ${relativeTime(last.deliveredAt)}`
  if (last.status === 'success') return ok(check, `responds with ${last.statusCode}${when}`)
  const reason = `${last.error ?? 'failed'}${last.errorCode ? ` (${last.errorCode})` : ''}${when}`
  return last.nextAttemptAt === null ? failed(check, reason) : warning(check, `${reason}; a retry is planned`)
}

/** The service deletes its logs after this time. */
const logDays = 30

/** Names deliveries that failed permanently, with the command that replays them. */
async function checkLostDeliveries({ call }: Client, { _id, name }: Webhook): Promise<Check[]> {
  const { PermissionError } = await import('@crmkit/sdk')
  const since = new Date(Date.now() - logDays * 86_400_000).toISOString()
  try {
    const { matched, nextCursor } = await call((crm) => crm.webhooks.recover(_id, { since, dryRun: true }))
    if (matched === 0) return []
    const count = `${nextCursor === null ? '' : 'at least '}${counted(matched, 'delivery')}`
    const mend = `crm webhooks recover ${_id} --since ${logDays}d`
    return [warning(`webhook ${name}`, `${count} failed permanently; to replay: ${mend}`)]
  } catch (error) {
    // Only a credential that may read the events may replay them.
    if (error instanceof PermissionError) return []
    throw error
  }
}

async function lastAttempt(
  crm: { webhooks: { logs(id: string, query: object): PromiseLike<{ data: DeliveryLog[] }> } },
  id: string,
): Promise<DeliveryLog | undefined> {
  const { data } = await crm.webhooks.logs(id, { limit: 20 })
  return data.find(({ status }) => status !== 'pending')
}
