import type { SourceRecord } from '../../ports/connector.ts'
import { toE164 } from '../../shared/phone-numbers.ts'
import type { ImportLinkRecord } from '../../storage/kinds/import-links.ts'
import type { RecordDraft } from '../rules/record-drafts.ts'

/** A record of a page with everything that its plan needs. */
export interface PlannedRecord {
  record: SourceRecord
  draft: RecordDraft
  externalId: string
  /** The external ids by which the record is known again: its own, and that of its e-mail address alone. */
  externalIds: readonly string[]
  linkId: string
  link: ImportLinkRecord | undefined
  /** The customer of the record, as far as it is known here. */
  customerId: string | null
  /** The customer who wrote it; null: somebody else. */
  authorId: string | null
  /** The link of the parent. */
  parent: ImportLinkRecord | undefined
  /** Digest of the draft and of the rows that it is tied to. */
  hash: string
  isErased: boolean
}

/** Returns the id that a row without one has by its e-mail address alone. */
export function idByEmail({ otherIds }: SourceRecord): string | undefined {
  return otherIds?.find((id) => id.startsWith('e:'))
}

export const notesModule = 'ImportedNotes'
export const inboxModule = 'Inbox'

/** A record with a new time of change is no longer the one that may have been deleted before, even with equal values. */
export function isUnchanged({ link, linkId, hash, record: { modifiedAt } }: PlannedRecord): boolean {
  // A link of another id gives way to one of the record's own.
  if (link?.payloadHash !== hash || link.deletedAt !== null || link._id !== linkId) return false
  return modifiedAt === null || modifiedAt === link.externalModifiedAt
}

/** HubSpot gives a deal and a ticket the same id. */
export function prefixedId({ module, id }: SourceRecord): string {
  const prefixes: Readonly<Record<string, string>> = {
    Deals: 'deal',
    Cases: 'ticket',
    Calls: 'call',
    Tasks: 'task',
    Events: 'meeting',
    Notes: 'note',
    Emails: 'email',
  }
  return `${prefixes[module] ?? module.toLowerCase()}_${id}`
}

/** Returns the number of a person's profile in E.164 form; null where there is none, and for one that cannot be read. */
export function phoneOf({ values }: RecordDraft, country: string | null): string | null {
  const own = values['profile.phone']
  return typeof own === 'string' ? toE164(own, country) : null
}

/** Returns the further numbers of a person in E.164 form; those that cannot be read are none. */
export function furtherPhonesOf({ phones }: RecordDraft, country: string | null): string[] {
  return phones.flatMap((phone) => toE164(phone, country) ?? [])
}

/** Returns the e-mails of a person, that of the profile first. */
export function emailsOf({ values, emails }: RecordDraft): string[] {
  const own = values['profile.email']
  return [...(typeof own === 'string' ? [own] : []), ...emails]
}
