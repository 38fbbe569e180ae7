import { inviteLifeMs, normalizeEmail, registerBody } from '@crmkit/core'
import { foundTenant } from '../features/auth/found-tenant.ts'
import { insertFirst } from '../features/match-password.ts'
import type { Service } from '../main/compose/service.ts'
import { createPasswords } from '../security/passwords.ts'
import { isoTime } from '../shared/clock.ts'
import { readAll } from '../shared/read-all.ts'
import { releaseWrites } from '../shared/release-mail.ts'
import type { TenantRecord } from '../storage/kinds/tenants.ts'
import type { Stored, TenantId } from '../storage/records.ts'
import {
  type CommandContext,
  CommandError,
  readArgs,
  readPassword,
  required,
  rowOptions,
  withService,
} from './command.ts'
import { systemAudit } from './system-audit.ts'

const pageSize = 200

export type OwnedTenant = Stored<TenantRecord> & { tenantId: TenantId }

/** Every tenant of the server, in the order of their ids. */
export async function* everyTenant({ storage }: Pick<Service, 'storage'>): AsyncGenerator<OwnedTenant> {
  let after = ''
  for (;;) {
    const page = await storage.system.listTenants({ after, limit: pageSize })
    yield* page
    const last = page.at(-1)
    if (last === undefined) return
    after = last._id
  }
}

export async function listTenants(args: string[]): Promise<void> {
  const { values } = readArgs(args, { names: [], options: rowOptions })
  await withService(async ({ service, print }) => {
    for await (const { _id, name, isSuspended, createdAt } of everyTenant(service))
      print({ id: _id, name, state: isSuspended ? 'suspended' : 'active', createdAt })
  }, values)
}

export const createOptions = {
  ...rowOptions,
  email: { type: 'string' },
  'first-name': { type: 'string' },
  'last-name': { type: 'string' },
  'password-file': { type: 'string' },
} as const

/** The fields of a registration, by its own rules. */
const founderSchema = registerBody.omit({ password: true })

export async function createTenant(args: string[]): Promise<void> {
  const { values, positionals } = readArgs(args, { names: ['NAME'], options: createOptions })
  const founder = await readFounder(positionals[0], values)
  const { json } = values
  await withService(async (context) => void (await makeTenant(context, founder)), { mayCreate: true, json })
}

interface FounderOptions {
  email?: string | undefined
  'first-name'?: string | undefined
  'last-name'?: string | undefined
  'password-file'?: string | undefined
}

export async function readFounder(tenantName: string | undefined, values: FounderOptions): Promise<Founder> {
  const parsed = founderSchema.safeParse({
    tenantName,
    email: required(values.email, '--email ADDRESS of the owner'),
    firstName: values['first-name'],
    lastName: values['last-name'],
  })
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
    throw new CommandError(`These values are not valid: ${problems.join('; ')}`)
  }
  const file = values['password-file']
  const password = file === undefined ? undefined : await readPassword(file)
  return { ...parsed.data, password }
}

interface Founder {
  tenantName: string
  email: string
  firstName?: string | null | undefined
  lastName?: string | null | undefined
  password: string | undefined
}

export async function makeTenant(
  context: CommandContext,
  { password, ...founder }: Founder,
): Promise<TenantId> {
  const { service, print, say } = context
  const now = isoTime(Date.now())
  const identity =
    password === undefined ? undefined : await newIdentity(context, { ...founder, password, now })
  const identityId = identity?.identity._id
  const { tenantId, tenant, user, change } = foundTenant(
    { ids: service.ids, now },
    { ...founder, identityId },
  )
  const invitation = identity ? undefined : service.tokens.newInvite({ tenantId, userId: user._id })
  const expiresAt = isoTime(Date.parse(now) + inviteLifeMs)
  const invite = invitation ? { tokenHash: invitation.hash, expiresAt } : null
  const { writes, events } = change({ ...user, invite })
  const target = { type: 'tenant', _id: tenantId }
  const audit = systemAudit(service, { tenantId, now, action: 'tenant.created', target })
  await service.storage.system.commit(tenantId, {
    writes: [...(identity?.writes ?? []), ...writes, audit],
    events,
  })
  print({ id: tenant._id, name: tenant.name, inviteToken: invitation?.token ?? null })
  if (invitation)
    say(`The owner accepts with the token in the last column (crm accept-invite), until ${expiresAt}.`)
  else say(`The owner signs in as ${founder.email}.`)
  return tenantId
}

interface FounderCredentials {
  email: string
  password: string
  now: string
}

async function newIdentity({ service }: CommandContext, { email: given, password, now }: FounderCredentials) {
  const email = normalizeEmail(given)
  const known = await service.storage.system.listIdentitiesByEmail(given)
  if (known.length > 0) {
    throw new CommandError(
      'This e-mail has a password on this server. Leave out --password-file to make an invitation',
    )
  }
  const caller = { address: '', isKnown: true }
  const { hash: passwordHash } = await createPasswords().compare(password, [], caller)
  return insertFirst({ _id: service.ids.next('idn'), email, passwordHash }, now)
}

export async function getTenant({ storage }: Pick<Service, 'storage'>, id: string): Promise<OwnedTenant> {
  const tenant = await storage.system.findTenant(id)
  if (tenant === undefined) throw new CommandError(`There is no tenant ${id}. See crm-server tenants list`)
  return tenant
}

export const suspendTenant = (args: string[]) => setSuspended(args, true)
export const resumeTenant = (args: string[]) => setSuspended(args, false)

async function setSuspended(args: string[], isSuspended: boolean): Promise<void> {
  const { positionals } = readArgs(args, { names: ['TENANT_ID'], options: {} })
  const id = positionals[0] ?? ''
  await withService(async ({ service, say }) => {
    const { system } = service.storage
    const tenant = await getTenant(service, id)
    const state = isSuspended ? 'suspended' : 'active'
    if (tenant.isSuspended === isSuspended) {
      say(`${tenant.name} is ${state} already.`)
      return
    }
    const { tenantId, version: expectVersion } = tenant
    const now = isoTime(Date.now())
    const set = { isSuspended, updatedAt: now }
    const action = isSuspended ? 'tenant.suspended' : 'tenant.resumed'
    const target = { type: 'tenant', _id: id }
    await system.commit(tenantId, {
      writes: [
        { op: 'update', kind: 'tenants', id, expectVersion, set },
        systemAudit(service, { tenantId, now, action, target }),
      ],
      events: [],
    })
    say(`${tenant.name} is ${state}. Running servers follow within 10 seconds.`)
  })
}

/** Lets the mail of the resting inboxes of a tenant leave again, as often as the operator wants. */
export async function releaseTenantMail(args: string[]): Promise<void> {
  const { positionals } = readArgs(args, { names: ['TENANT_ID'], options: {} })
  await withService(async ({ service, say }) => {
    const tenant = await getTenant(service, positionals[0] ?? '')
    const { tenantId } = tenant
    const store = service.storage.forTenant(tenantId)
    const now = isoTime(Date.now())
    let count = 0
    for await (const inbox of readAll((cursor) =>
      store.inboxes.listRows({ page: 1, limit: pageSize, cursor }),
    )) {
      if (inbox.sending?.state !== 'resting') continue
      const target = { type: 'inbox', _id: inbox._id }
      const audit = systemAudit(service, { tenantId, now, action: 'inbox.mailReleased', target })
      const writes = [...(await releaseWrites(store, inbox, now)), audit]
      await service.storage.system.commit(tenantId, { writes, events: [] })
      count += 1
    }
    say(`Released the mail of ${count} inboxes of ${tenant.name}. Running servers follow within a minute.`)
  })
}
