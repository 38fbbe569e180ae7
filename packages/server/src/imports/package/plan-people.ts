import { splitName } from '@crmkit/core'
import type { PackageRecord } from '@crmkit/core/package'
import type { SourceRecord, SourceWarning } from '../../ports/connector.ts'
import { phoneTail } from '../../storage/sort-keys.ts'
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
  const [phone, ...secondaryPhones] = phones
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
      phone: phone ?? null,
      secondaryPhones,
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
      ...fieldsOfPhones(secondaryPhones, record.customFields ?? {}),
    },
    warnings: organisationId && organisation === undefined && !record.company ? [noOrganisation] : [],
  }
}

/** Returns the numbers that a person has no field for as custom fields. One that such a field has already is not repeated. */
function fieldsOfPhones(phones: readonly string[], given: Readonly<Record<string, unknown>>) {
  // An export has the fields of a source in one object.
  const texts = Object.values(given).flatMap((value) =>
    typeof value === 'object' && value !== null ? Object.values(value) : value,
  )
  const known = new Set(texts.flatMap((text) => (typeof text === 'string' ? endOf(text) : [])))
  const fields: Record<string, string> = {}
  for (const [index, phone] of phones.entries()) {
    if (known.has(endOf(phone))) continue
    let place = index + 2
    while (Object.hasOwn(given, `Phone ${place}`) || Object.hasOwn(fields, `Phone ${place}`)) place++
    fields[`Phone ${place}`] = phone
  }
  return fields
}

/** The last digits of a number are equal however it is written. */
function endOf(text: string): string {
  return phoneTail(text) ?? text
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
