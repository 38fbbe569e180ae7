// Runs on both databases by day: rows that are counted.

import { describe, expect, it } from 'vitest'
import { TenantQuotas } from '../../src/http/quotas/tenant-quotas.ts'
import { noMeters } from '../../src/ports/meters.ts'
import type { Committed } from '../../src/ports/storage.ts'
import { quotaRules } from '../../src/storage/kinds/quotas.ts'
import type { TenantLimits } from '../../src/storage/kinds/tenants.ts'
import type { TenantId } from '../../src/storage/records.ts'
import { insertOf, sample } from '../contracts/storage/samples.contract.ts'
import { type CallResponse, call, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'

const running = useService()

interface Owner {
  token: string
  email: string
  tenantId: string
  send(method: string, path: string, body?: unknown): Promise<CallResponse>
}

/** A tenant with these limits, and its owner. */
async function newTenant(limits: TenantLimits): Promise<Owner> {
  const { token, email, tenant } = await registerTenant(running.url)
  const { system } = running.service.storage
  const { tenantId, version } = (await system.findTenant(tenant._id))!
  const write = {
    op: 'update',
    kind: 'tenants',
    id: tenantId,
    expectVersion: version,
    set: { limits },
  } as const
  await system.commit(tenantId, { writes: [write], events: [] })
  const send = (method: string, path: string, body?: unknown) =>
    call(running.url, { method, path, token, body })
  return { token, email, tenantId, send }
}

const usageOf = async ({ send }: Owner) => (await send('GET', '/api/tenant')).body.data.usage

/** A request that makes one more row of a quota, by the name of the quota. */
const creations: Readonly<Record<string, (owner: Owner) => Promise<CallResponse>>> = {
  customers: ({ send }) => send('POST', '/api/v1/customers', { firstName: 'Ada' }),
  customerAddresses: async ({ send }) => {
    const emailed = (name: string) => ({ firstName: 'Ada', email: `${name}@example.com` })
    const { _id } = (await send('POST', '/api/v1/customers', emailed('old'))).body.data
    const changed = await send('PUT', `/api/v1/customers/${_id}`, emailed('new'))
    // The row is made by the change of its customer.
    return changed.status === 200 ? { ...changed, status: 201 } : changed
  },
  conversations: newConversation,
  messages: async (owner) => {
    const listed = await owner.send('GET', '/api/v1/conversations')
    const { _id } = listed.body.data[0] ?? (await newConversation(owner)).body.data
    return owner.send('POST', `/api/v1/conversations/${_id}/messages`, { content: 'Hello' })
  },
  // A conversation has its beginning in its timeline.
  activities: newConversation,
  customerNotes: async ({ send }) => {
    const { _id } = (await send('POST', '/api/v1/customers', { firstName: 'Ada' })).body.data
    return send('POST', `/api/v1/customers/${_id}/notes`, { content: 'Hello' })
  },
  cannedReplies: ({ send }) => {
    const shortcut = `r${crypto.randomUUID()}`
    return send('POST', '/api/v1/canned-replies', { shortcut, title: 'Greeting', content: 'Hello' })
  },
  mentions: async ({ send }) => {
    const email = `${crypto.randomUUID()}@example.com`
    const { _id } = (await send('POST', '/api/v1/users', { email, role: 'agent' })).body.data
    const inboxes = await send('GET', '/api/v1/inboxes')
    const message = { content: `@[${_id}]`, type: 'note' }
    const inboxId = inboxes.body.data[0]._id
    return send('POST', '/api/v1/conversations', { subject: 'Help', inboxId, message })
  },
  views: ({ send }) => send('POST', '/api/v1/views', { name: 'Open', filter: { status: ['open'] } }),
  drafts: async (owner) => {
    const { _id } = (await newConversation(owner)).body.data
    const saved = await owner.send('PUT', `/api/v1/conversations/${_id}/draft`, { content: 'Hello' })
    // A draft is made by the request that replaces it.
    return saved.status === 200 ? { ...saved, status: 201 } : saved
  },
  attachments: (owner) => uploadTo(owner, 10),
  calls: ({ send }) => send('POST', '/api/telephony/calls', { to: '+15551234567' }),
  users: ({ send }) =>
    send('POST', '/api/v1/users', { email: `${crypto.randomUUID()}@example.com`, role: 'agent' }),
  inboxes: ({ send }) => send('POST', '/api/v1/inboxes', { name: 'Another', channel: 'email' }),
  privacyRequests: ({ send }) => send('POST', '/api/data-privacy/access-request', {}),
  apiKeys: ({ send }) => send('POST', '/api/tenant/api-keys', { name: 'K', permissions: ['read:customers'] }),
}

async function newConversation({ send }: Owner): Promise<CallResponse> {
  const inboxes = await send('GET', '/api/v1/inboxes')
  return send('POST', '/api/v1/conversations', { subject: 'Help', inboxId: inboxes.body.data[0]._id })
}

function uploadTo({ token }: Owner, bytes: number): Promise<CallResponse> {
  const file = new File([new Uint8Array(bytes).fill(120)], 'x.txt')
  return call(running.url, { method: 'POST', path: '/api/v1/attachments', token, form: { file } })
}

describe('a quota of rows', () => {
  it('is tested here for every kind that declares one', () => {
    const counted = quotaRules.filter(({ field }) => field === null).map(({ name }) => name)
    expect(Object.keys(creations).sort(), 'a new kind needs a request here that makes one row').toEqual(
      counted.sort(),
    )
  })

  it.each(Object.keys(creations))(
    'refuses one more of %s than the limit, and stores nothing of it [own.quotas]',
    async (name) => {
      const create = creations[name]!
      // A new tenant has an owner and an inbox already.
      const before = (await usageOf(await newTenant({})))[name].used
      const limit = before + 2
      const owner = await newTenant({ [name]: limit })
      for (let made = 0; made < 2; made++) expect((await create(owner)).status).toBe(201)
      for (let tries = 0; tries < 2; tries++) {
        const refused = await create(owner)
        expect([refused.status, refused.body]).toEqual([
          403,
          {
            success: false,
            error: `The tenant uses ${limit} of at most ${limit} ${name}`,
            code: 'QUOTA_EXCEEDED',
            requestId: expect.any(String),
            details: { name, limit, used: limit },
          },
        ])
      }
      expect((await usageOf(owner))[name]).toEqual({ used: limit, limit })
      expect(await running.service.storage.forTenant(owner.tenantId as never).usedOf(name)).toBe(limit)
    },
    30_000,
  )

  it('is kept exactly by many writes at the same time [own.quotas]', async () => {
    const owner = await newTenant({ customers: 10 })
    const answers = await Promise.all(Array.from({ length: 40 }, () => creations['customers']!(owner)))
    const made = answers.filter(({ status }) => status === 201)
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(40 - made.length)
    expect(made).toHaveLength(10)
    expect((await usageOf(owner)).customers).toEqual({ used: 10, limit: 10 })
  })

  it('may be exceeded by a second process by what it admits before its next count, and by no more', async () => {
    const { tenantId: id, ...owner } = await newTenant({ customers: 5 })
    const tenantId = id as TenantId
    const { storage } = running.service
    // As in another process: it notices its own commits only.
    const listeners: ((commit: Committed) => void)[] = []
    const quotas = new TenantQuotas(
      { ...storage, onCommitted: (listener) => void listeners.push(listener) },
      noMeters,
    )
    const createInSecond = async () => {
      const writes = [insertOf('customers', sample.customers(tenantId))]
      const reservation = await quotas.admit({ tenantId, tenantLimits: { customers: 5 } }, writes)
      const change = { writes, events: [] }
      await storage.forTenant(tenantId).commit(change)
      for (const listener of listeners) listener({ tenantId, change, deliveries: 0, durationMs: 0 })
      reservation?.end()
    }
    await createInSecond()
    const create = () => creations['customers']!({ tenantId: id, ...owner })
    for (let made = 0; made < 4; made++) expect((await create()).status).toBe(201)
    expect((await create()).body.details).toMatchObject({ used: 5 })
    for (let made = 0; made < 4; made++) await createInSecond()
    await expect(createInSecond()).rejects.toMatchObject({
      code: 'QUOTA_EXCEEDED',
      details: { name: 'customers', limit: 5, used: 9 },
    })
    expect((await create()).body.details).toMatchObject({ used: 9 })
  })

  it('admits a write as soon as something was deleted', async () => {
    const owner = await newTenant({ customers: 2 })
    const create = creations['customers']!
    const { _id } = (await create(owner)).body.data
    await create(owner)
    expect((await create(owner)).status).toBe(403)
    expect((await owner.send('DELETE', `/api/v1/customers/${_id}`)).status).toBe(200)
    expect((await create(owner)).status).toBe(201)
    expect((await create(owner)).status).toBe(403)
  })

  it('counts anew before it refuses, and so finds what was deleted with its owner', async () => {
    const owner = await newTenant({ conversations: 1, messages: 3 })
    const conversation = (await creations['conversations']!(owner)).body.data
    for (let made = 0; made < 3; made++) expect((await creations['messages']!(owner)).status).toBe(201)
    expect((await creations['messages']!(owner)).status).toBe(403)
    // The messages are deleted with their conversation, of which the change itself says nothing.
    expect((await owner.send('DELETE', `/api/v1/conversations/${conversation._id}`)).status).toBe(200)
    expect((await creations['messages']!(owner)).status).toBe(201)
  })

  it('lets reads, changes, deletions and sign-ins go on at the limit [own.quotas]', async () => {
    const owner = await newTenant({ customers: 1, users: 1, conversations: 1, messages: 0 })
    const { _id } = (await creations['customers']!(owner)).body.data
    const password = 'correct horse battery'
    const answers = [
      await owner.send('GET', `/api/v1/customers/${_id}`),
      await owner.send('PUT', `/api/v1/customers/${_id}`, { jobTitle: 'Analyst' }),
      await call(running.url, {
        method: 'POST',
        path: '/api/auth/login',
        body: { email: owner.email, password },
      }),
      await owner.send('DELETE', `/api/v1/customers/${_id}`),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  })

  it('of one tenant refuses nothing of another', async () => {
    const [full, free] = [await newTenant({ customers: 0 }), await newTenant({})]
    expect((await creations['customers']!(full)).status).toBe(403)
    expect((await creations['customers']!(free)).status).toBe(201)
  })

  it('that is lifted or unlimited refuses nothing more from the next request on', async () => {
    const owner = await newTenant({ customers: 0, inboxes: -1 })
    expect((await creations['customers']!(owner)).status).toBe(403)
    expect((await creations['inboxes']!(owner)).status).toBe(201)
    const { system } = running.service.storage
    const { tenantId, version } = (await system.findTenant(owner.tenantId))!
    const set = { limits: { customers: -1 } }
    const write = { op: 'update', kind: 'tenants', id: tenantId, expectVersion: version, set } as const
    await system.commit(tenantId, { writes: [write], events: [] })
    expect((await creations['customers']!(owner)).status).toBe(201)
    expect((await usageOf(owner)).customers).toEqual({ used: 1, limit: -1 })
  })
})

describe('the quota of bytes', () => {
  it('refuses an upload that could exceed it, and counts files that no message carries [own.quotas]', async () => {
    const owner = await newTenant({ attachmentBytes: 3_000 })
    expect((await uploadTo(owner, 1_000)).status).toBe(201)
    const refused = await uploadTo(owner, 2_500)
    expect([refused.status, refused.body.code]).toEqual([403, 'QUOTA_EXCEEDED'])
    expect(refused.body.details).toEqual({ name: 'attachmentBytes', limit: 3_000, used: 1_000 })
    expect((await uploadTo(owner, 1_000)).status).toBe(201)
    expect((await usageOf(owner)).attachments.used).toBe(2)
    expect(await running.service.storage.forTenant(owner.tenantId as never).usedOf('attachmentBytes')).toBe(
      2_000,
    )
  })

  it('is kept by uploads at the same time', async () => {
    const owner = await newTenant({ attachmentBytes: 10_000 })
    const answers = await Promise.all(Array.from({ length: 12 }, () => uploadTo(owner, 3_000)))
    expect(answers.filter(({ status }) => status === 201).length).toBeLessThanOrEqual(3)
    const used = await running.service.storage.forTenant(owner.tenantId as never).usedOf('attachmentBytes')
    expect(used).toBeLessThanOrEqual(10_000)
  })
})
