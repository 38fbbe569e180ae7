import { createServer, type Server } from 'node:http'
import { NotFoundError, PermissionError } from '@crmkit/sdk'
import express from 'express'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { ConfigError } from '../../src/main/config/config-error.ts'
import { type Crm, type CrmOptions, createCrm } from '../../src/main/create-crm.ts'
import { call, upload } from '../support/call.ts'

// An app that has the service inside its own process.

const running: Crm[] = []
const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) server.close().closeAllConnections()
  await Promise.all(running.splice(0).map((crm) => crm.stop()))
})
afterAll(() => expect(running).toEqual([]))

async function embed(options: CrmOptions = {}): Promise<Crm> {
  const crm = await createCrm({ temporary: true, registration: 'off', ...options })
  running.push(crm)
  await crm.start()
  return crm
}

const newTenant = { name: 'Engines', owner: { email: 'ada@example.com', firstName: 'Ada' } }

async function embedTenant(options: CrmOptions = {}) {
  const crm = await embed(options)
  const { tenantId, ownerId, inviteToken } = await crm.createTenant(newTenant)
  return { crm, tenantId, ownerId, inviteToken, client: crm.client({ tenantId, actor: { userId: ownerId } }) }
}

async function serve(crm: Crm, mount: string): Promise<string> {
  const server = createServer(express().use(mount, crm.router)).listen(0, '127.0.0.1')
  servers.push(server)
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}${mount}`
}

describe('the client of an embedded service', () => {
  it('is the SDK without a network or a credential: calls, lists, files, streams and errors', async () => {
    const { client, ownerId } = await embedTenant()
    expect((await client.auth.me()).user).toMatchObject({ _id: ownerId, role: 'owner' })
    const customer = await client.customers.create({
      firstName: 'Grace',
      customFields: { text: 'ä'.repeat(9_000) },
    })
    expect(await client.customers.list().toArray()).toEqual([{ ...customer, openConversations: null }])
    const made = await client.attachments.create(new File(['A moth'], 'moth.txt'))
    expect(await (await client.attachments.get(made._id)).text()).toBe('A moth')
    for await (const event of client.events.stream({ after: 'earliest', types: ['customer.created'] })) {
      expect(event).toMatchObject({ event: 'customer.created', data: { _id: customer._id } })
      break
    }
    await expect(client.customers.get('cus_x')).rejects.toBeInstanceOf(NotFoundError)
  })

  it('has the role of its actor, sees its own tenant alone, and is audited as the actor', async () => {
    const { crm, client, tenantId, ownerId } = await embedTenant()
    const viewer = await client.users.create({ email: 'eve@example.com', role: 'viewer' })
    const asViewer = crm.client({ tenantId, actor: { userId: viewer._id } })
    await expect(asViewer.customers.create({ firstName: 'X' })).rejects.toBeInstanceOf(PermissionError)
    const other = await crm.createTenant({ name: 'Other', owner: { email: 'bob@example.com' } })
    const customer = await client.customers.create({ firstName: 'Grace' })
    const stranger = crm.client({ tenantId: other.tenantId, actor: { userId: other.ownerId } })
    await expect(stranger.customers.get(customer._id)).rejects.toBeInstanceOf(NotFoundError)
    const foreign = crm.client({ tenantId: other.tenantId, actor: { userId: ownerId } })
    await expect(foreign.auth.me()).rejects.toMatchObject({ status: 401 })
    const [entry] = (await client.tenant.auditLog()).data
    expect(entry).toMatchObject({ action: 'user.invited', actor: { type: 'user', _id: ownerId } })
  })

  it('makes API keys that work over HTTP, while no header of a request from outside makes it a client', async () => {
    const { crm, client, tenantId } = await embedTenant()
    const { key } = await client.apiKeys.create({ name: 'shop', permissions: ['read:customers'] })
    const url = await serve(crm, '/')
    const get = (headers: Record<string, string>) => fetch(`${url}api/v1/customers`, { headers })
    expect((await get({ authorization: `Bearer ${key}` })).status).toBe(200)
    expect((await get({ host: 'crmkit.invalid', 'x-tenant-id': tenantId })).status).toBe(401)
  })

  it('acts as an active owner without an actor, and names the actor when there is none', async () => {
    const { crm, client, tenantId, inviteToken, ownerId } = await embedTenant()
    const asOwner = crm.client({ tenantId })
    await expect(asOwner.customers.list()).rejects.toThrow('name the actor')
    await client.auth.acceptInvite({ token: inviteToken, password: 'correct horse battery' })
    expect((await asOwner.auth.me()).user?._id).toBe(ownerId)
  })
})

it('onEvent gets each committed event once, typed, with its tenant, and its failure is logged', async () => {
  const seen: [string, string][] = []
  const errors: string[] = []
  const { client, tenantId } = await embedTenant({
    onEvent: (event, about) => {
      seen.push([event.event, about.tenantId])
      if (event.event === 'customer.updated') throw new Error('the app failed')
    },
    logger: { debug() {}, info() {}, warn() {}, error: (_fields, message) => errors.push(message) },
  })
  const { _id } = await client.customers.create({ firstName: 'Grace' })
  await client.customers.update(_id, { tier: 'gold' })
  await expect.poll(() => errors).toEqual(['onEvent failed'])
  expect(seen).toEqual([
    ['user.created', tenantId],
    ['customer.created', tenantId],
    ['customer.updated', tenantId],
  ])
})

it('a logger gets the lines of the service: requests, unknown options, deactivated webhooks, refused sign-ins', async () => {
  const lines: { level: string; message: string; fields: Record<string, unknown> }[] = []
  const note = (level: string) => (fields: object, message: string) => {
    lines.push({ level, message, fields: { ...fields } })
  }
  const logger = { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') }
  const options = { datadir: '/nowhere', logger, logLevel: 'info' } as CrmOptions
  const { client, inviteToken } = await embedTenant(options)
  // A webhook needs a creator who can sign in.
  await client.auth.acceptInvite({ token: inviteToken, password: 'correct horse battery' })
  const webhook = await client.webhooks.create({
    name: 'Hook',
    url: 'https://hooks.example.com',
    events: ['customer.created'],
  })
  await client.webhooks.update(webhook._id, { isActive: false })
  const password = 'a wrong password'
  for (let tries = 0; tries < 6; tries++) {
    await client.auth.login({ email: 'ada@example.com', password }, { maxRetries: 0 }).catch(() => {})
  }
  const warnings = lines.filter(({ level }) => level === 'warn').map(({ message }) => message)
  expect(warnings).toEqual([
    'createCrm has no option datadir, which has no effect: do you mean dataDir?',
    'A webhook was deactivated',
    'Sign-ins wait after too many failures',
  ])
  expect(lines).toContainEqual({
    level: 'info',
    message: 'Request',
    fields: expect.objectContaining({ path: '/api/v1/webhooks', status: 201 }),
  })
  expect(JSON.stringify(lines)).not.toMatch(/wrong password|ada@example/)
})

it('every URL in a response begins with the mount path, or with the path of baseUrl', async () => {
  const mounted = await embedTenant()
  const { key } = await mounted.client.apiKeys.create({
    name: 'shop',
    permissions: ['read:conversations', 'write:conversations'],
  })
  const url = await serve(mounted.crm, '/support')
  const made = await upload(url, { token: key, file: new File(['A moth'], 'moth.txt') })
  expect(made.url).toBe(`/support/api/v1/attachments/${made._id}`)
  const headers = { authorization: `Bearer ${key}` }
  expect((await fetch(new URL(made.url, url), { headers })).status).toBe(200)
  const landing = await call(url, { path: '/' })
  expect(landing.body.data).toMatchObject({
    reference: '/support/api-docs/',
    health: '/support/api/v1/health',
  })

  const { client } = await embedTenant({ baseUrl: 'https://shop.example.com/help/' })
  const uploaded = await client.attachments.create(new File(['A moth'], 'moth.txt'))
  const inboxId = (await client.inboxes.list()).data[0]?._id ?? ''
  const { _id } = await client.conversations.create({
    subject: 'Moth',
    inboxId,
    message: { content: 'See', attachments: [uploaded._id] },
  })
  const [message] = (await client.messages.list(_id)).data
  for (const shown of [uploaded, message?.attachments[0]]) {
    expect(shown?.url).toBe(`/help/api/v1/attachments/${uploaded._id}`)
  }
})

it('refused options are named as options', async () => {
  const refused = await createCrm({ environment: 'production', dataDir: './never-made' }).catch(
    (error) => error,
  )
  expect(refused).toBeInstanceOf(ConfigError)
  expect(refused.problems).toEqual([
    expect.stringMatching(/^jwtSecret \(CRM_JWT_SECRET\) is required in production: make one with/),
    expect.stringMatching(/^secretsKey \(CRM_SECRETS_KEY\) is required in production: make one with/),
  ])
})
