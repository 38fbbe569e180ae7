import { splitName } from '@crmkit/core'
import type { PackageRecord } from '@crmkit/core/package'
import type { SourceRecord, SourceWarning } from '../../ports/connector.ts'
import type { PackageRow } from './package-page.ts'

type Person = PackageRecord<'people'>

/** Returns a person in the words that all sources share: it is matched, joined and updated as a contact of any other one. */
export function personRecord(
  { id, row, record }: PackageRow<'people'>,
  organisationOf: (id: string) => string | undefined,
): SourceRecord {
  const emails = primaryFirst(record.emails).map(({ address }) => address)
  const phones = primaryFirst(record.phones).map(({ number }) => number)
  const { organisationId } = record
  const organisation = organisationId ? organisationOf(organisationId) : undefined
  const [email, ...secondaryEmails] = emails
  const morePhones = phones.slice(1).map((phone, index) => [`Phone ${index + 2}`, phone] as const)
  return {
    module: 'people',
    id,
    row,
    createdAt: record.createdAt ?? null,
    modifiedAt: record.updatedAt ?? null,
    url: null,
    person: null,
    parent: null,
    fields: {
      ...nameOf(record),
      email: email ?? null,
      secondaryEmails,
      phone: phones[0] ?? null,
      company: record.company ?? organisation ?? null,
      jobTitle: record.jobTitle ?? null,
      tags: record.tags ?? [],
      tier: record.tier ?? null,
      customerStatus: record.status ?? null,
      isBlocked: record.isBlocked ?? false,
    },
    customFields: {
      ...record.customFields,
      ...(record.externalUrl && { 'Source URL': record.externalUrl }),
      ...Object.fromEntries(morePhones),
    },
    warnings: organisationId && organisation === undefined && !record.company ? [noOrganisation] : [],
  }
}

const noOrganisation: SourceWarning = {
  code: 'MISSING_REFERENCE',
  message: 'its organisation is not in the package',
  column: 'organisationId',
}

function nameOf({ firstName, lastName, name }: Person) {
  if (firstName || lastName) return { firstName: firstName ?? null, lastName: lastName ?? null }
  if (!name) return { firstName: null, lastName: null }
  return name.includes(' ') ? splitName(name) : { firstName: null, lastName: name }
}

function primaryFirst<T extends { isPrimary?: boolean | null | undefined }>(
  list: readonly T[] | null | undefined,
): T[] {
  return (list ?? []).toSorted((a, b) => Number(b.isPrimary ?? false) - Number(a.isPrimary ?? false))
}
