import { foldEmail } from '@crmkit/core'
import type { Service } from '../main/compose/service.ts'
import { createPasswords } from '../security/passwords.ts'
import { isoTime } from '../shared/clock.ts'
import type { Identity } from '../storage/kinds/identities.ts'
import type { Stored } from '../storage/records.ts'
import {
  type CommandContext,
  CommandError,
  readArgs,
  readPassword,
  required,
  withService,
} from './command.ts'
import { systemAudit } from './system-audit.ts'

const options = {
  email: { type: 'string' },
  'tenant-id': { type: 'string' },
  'password-file': { type: 'string' },
} as const

/** Sets the password of an identity and ends all its sessions. */
export async function resetPassword(args: string[]): Promise<void> {
  const { values } = readArgs(args, { names: [], options })
  const email = required(values.email, '--email ADDRESS')
  await withService(async (context) => {
    const identity = await findIdentity(context.service, { email, tenantId: values['tenant-id'] })
    const password = await readPassword(values['password-file'])
    await setPassword(context, identity, password)
  })
}

async function findIdentity(
  { storage }: Service,
  { email, tenantId }: { email: string; tenantId: string | undefined },
): Promise<Stored<Identity>> {
  const { system } = storage
  if (tenantId !== undefined) {
    const members = await system.listMembers({ tenantId, email })
    const member = members.find(({ user }) => user.emailNormalized === foldEmail(email)) ?? members[0]
    const identity = member && (await system.findIdentity(member.user.identityId))
    if (identity === undefined)
      throw new CommandError(`Nobody has accepted an invitation to ${email} in the tenant ${tenantId}`)
    return identity
  }
  const [identity, ...others] = await system.listIdentitiesByEmail(email)
  if (identity === undefined) throw new CommandError(`Nobody signs in as ${email}`)
  if (others.length > 0)
    throw new CommandError(`${email} has several passwords. Name the one of a tenant with --tenant-id`)
  return identity
}

async function setPassword(
  { service, say }: CommandContext,
  { _id: id, version: expectVersion, ...identity }: Stored<Identity>,
  password: string,
): Promise<void> {
  const { system } = service.storage
  const caller = { address: '', isKnown: true }
  const { hash: passwordHash } = await createPasswords().compare(password, [identity.passwordHash], caller)
  const now = isoTime(Date.now())
  const passwordGeneration = identity.passwordGeneration + 1
  const set = { passwordHash, passwordGeneration, passwordChangedBy: null, updatedAt: now }
  const memberships = await system.across.memberships.of(id)
  const [first, ...others] = memberships.map(({ tenantId, row: user }) => {
    const target = { type: 'user', _id: user._id }
    return { tenantId, audit: systemAudit(service, { tenantId, now, action: 'user.passwordReset', target }) }
  })
  if (first === undefined) throw new CommandError('This person is no member of any tenant')
  await system.commit(first.tenantId, {
    writes: [{ op: 'update', kind: 'identities', id, expectVersion, set }, first.audit],
    events: [],
  })
  for (const { tenantId, audit } of others) await system.commit(tenantId, { writes: [audit], events: [] })
  say(
    `The password of ${identity.email} is changed, in ${memberships.length} tenants. All sessions have ended.`,
  )
}
