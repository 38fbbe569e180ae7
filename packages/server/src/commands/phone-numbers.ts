import { isPhoneNumber } from '@crmkit/core'
import { isoTime } from '../shared/clock.ts'
import { CommandError, readArgs, withService } from './command.ts'
import { systemAudit } from './system-audit.ts'
import { everyTenant } from './tenants.ts'

/** Says which numbers at the telephony provider are a tenant's. A number belongs to one tenant. */
export async function setPhoneNumbers(args: string[]): Promise<void> {
  const { values, positionals } = readArgs(args, {
    names: ['TENANT_ID'],
    options: { numbers: { type: 'string' } },
  })
  const id = positionals[0] ?? ''
  const phoneNumbers = readNumbers(values.numbers)
  await withService(async ({ service, say }) => {
    const { system } = service.storage
    const tenant = await system.findTenant(id)
    if (tenant === undefined) throw new CommandError(`There is no tenant ${id}. See crm-server tenants list`)
    for await (const other of everyTenant(service)) {
      const taken = other.phoneNumbers?.find((number) => phoneNumbers.includes(number))
      if (taken !== undefined && other._id !== id)
        throw new CommandError(`${taken} belongs to ${other._id}, ${other.name}`)
    }
    const { tenantId, version: expectVersion } = tenant
    const now = isoTime(Date.now())
    const target = { type: 'tenant', _id: id }
    await system.commit(tenantId, {
      writes: [
        { op: 'update', kind: 'tenants', id, expectVersion, set: { phoneNumbers, updatedAt: now } },
        systemAudit(service, { tenantId, now, action: 'tenant.phoneNumbersSet', target }),
      ],
      events: [],
    })
    say(`${tenant.name} has ${phoneNumbers.length === 0 ? 'no number' : phoneNumbers.join(', ')}.`)
  })
}

function readNumbers(text: string | undefined): string[] {
  if (text === undefined) throw new CommandError('Missing: --numbers LIST, or an empty text for no number')
  const numbers = [...new Set(text.split(',').map((number) => number.trim()))].filter(Boolean)
  const wrong = numbers.filter((number) => !isPhoneNumber(number))
  if (wrong.length > 0) throw new CommandError(`Not a phone number in E.164 form: ${wrong.join(', ')}`)
  return numbers
}
