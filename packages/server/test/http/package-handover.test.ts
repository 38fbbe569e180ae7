// Runs on both databases by day: a hand-over beside replies and imports.
import { describe, expect, test } from 'vitest'
import { comeDue } from '../support/come-due.ts'
import { historyOf } from '../support/history.ts'
import { newPackageTenant, packageOf } from '../support/package-of.ts'
import { useService } from '../support/use-service.ts'

const server = useService()
type Tenant = Awaited<ReturnType<typeof newPackageTenant>>

async function importOf(tenant: Tenant, conversations: readonly object[], round = 0) {
  const { messages } = historyOf(tenant.email)
  const records = {
    conversations,
    // The same package again is no new one.
    labels: [{ id: `l${round}`, name: `round ${round}` }],
    messages: messages.slice(0, 1).map((one) => ({ ...one, attachmentIds: [] })),
  }
  const files = await packageOf({ records })
  // The manifest begins a new package.
  await tenant.putAll(new Map([...files].toReversed()))
  expect((await tenant.send('POST', `${tenant.path}/import`, {})).status).toBe(202)
  return (await tenant.finished()).run
}

async function following() {
  const tenant = await newPackageTenant(server.url)
  const [first] = historyOf(tenant.email).conversations
  const conversation = { ...first, personId: null, previousId: null }
  await importOf(tenant, [conversation])
  const [{ _id }] = await tenant.rows('/api/v1/conversations')
  const messages = `/api/v1/conversations/${_id}/messages`
  const say = (body: object, headers?: Record<string, string>) => tenant.send('POST', messages, body, headers)
  return { tenant, conversation, _id, say, at: `/api/v1/conversations/${_id}` }
}

describe('POST /api/extcrm/integrations/{id}/handover', () => {
  test('until it, a reply to a conversation of the package is refused; notes, inbound messages, calls and forced replies are not', async () => {
    const { tenant, _id, say } = await following()
    const { data } = (await tenant.send('GET', tenant.path)).body
    expect(data.handover).toBe('following')
    const refused = await say({ content: 'Hello' })
    expect([refused.status, refused.body.code, refused.body.details]).toEqual([
      409,
      'INVALID_STATE',
      { handover: 'following', integrationId: data._id },
    ])
    expect((await say({ content: 'A note', type: 'note' })).status).toBe(201)
    expect((await say({ content: 'From her', direction: 'inbound' })).status).toBe(201)
    const called = { to: '+15551234567', conversationId: _id }
    expect((await tenant.send('POST', '/api/telephony/calls', called)).status).toBe(201)
    expect((await say({ content: 'In any case' }, { force: 'true' })).status).toBe(201)
    const [inbox] = await tenant.rows('/api/v1/inboxes')
    const begun = { subject: 'Of here', inboxId: inbox._id }
    const own = (await tenant.send('POST', '/api/v1/conversations', begun)).body.data
    const reply = await tenant.send('POST', `/api/v1/conversations/${own._id}/messages`, { content: 'Hello' })
    expect(reply.status).toBe(201)
  })

  test('a draft is not sent before it either, unless it is forced, and a planned one says why', async () => {
    const { tenant, at } = await following()
    const draft = (await tenant.send('PUT', `${at}/draft`, { content: 'Soon' })).body.data
    const send = (headers?: Record<string, string>) =>
      tenant.send('POST', `${at}/drafts/${draft._id}/send`, { expectedVersion: draft.version }, headers)
    const refused = await send()
    expect([refused.status, refused.body.details.handover]).toEqual([409, 'following'])
    expect((await send({ force: 'true' })).status).toBe(201)
    const sendAt = new Date(Date.now() + 3_600_000).toISOString()
    const later = (await tenant.send('PUT', `${at}/draft`, { content: 'Later', sendAt })).body.data
    await comeDue(server.service.storage.forTenant(tenant.tenant._id), later._id)
    const planned = async () => (await tenant.send('GET', `${at}/draft`)).body.data?.sendError
    await expect.poll(planned).toBe('INVALID_STATE')
  })

  test('ends it for good: replies go out, the audit log says it, and a second one changes nothing', async () => {
    const { tenant, say } = await following()
    const first = await tenant.send('POST', `${tenant.path}/handover`)
    expect([first.status, first.body.data.handover]).toEqual([200, 'done'])
    expect((await say({ content: 'Hello' })).status).toBe(201)
    const second = await tenant.send('POST', `${tenant.path}/handover`)
    expect([second.status, second.body.data]).toEqual([200, first.body.data])
    const log = await tenant.rows('/api/tenant/audit-log?limit=100')
    const entries = log.filter(({ action }: { action: string }) => action === 'integration.handed_over')
    expect(entries).toMatchObject([{ target: { type: 'integration', _id: first.body.data._id } }])
  })

  test('before it a later package changes the state of a conversation, and after it no more', async () => {
    const { tenant, conversation, at } = await following()
    const shown = async () => {
      const { status, labels, subject } = (await tenant.send('GET', at)).body.data
      return { status, labels, subject }
    }
    await importOf(tenant, [{ ...conversation, status: 'pending', labels: ['waits'] }], 1)
    expect(await shown()).toMatchObject({ status: 'pending', labels: ['waits'] })
    await tenant.send('POST', `${tenant.path}/handover`)
    const late = { ...conversation, status: 'closed', labels: ['gone'], subject: 'A later subject' }
    await importOf(tenant, [late], 2)
    expect(await shown()).toEqual({ status: 'pending', labels: ['waits'], subject: 'A later subject' })
  })

  test('is refused for an integration that is no package, and for one that does not exist', async () => {
    const { tenant } = await following()
    const file = (await tenant.send('POST', '/api/extcrm/integrations', { provider: 'file' })).body.data
    expect(file.handover).toBe(null)
    const refused = await tenant.send('POST', `/api/extcrm/integrations/${file._id}/handover`)
    expect([refused.status, refused.body.code]).toEqual([409, 'INVALID_STATE'])
    const unknown = await tenant.send('POST', '/api/extcrm/integrations/int_none/handover')
    expect(unknown.status).toBe(404)
  })
})
