import { hash } from 'node:crypto'
import { isEmail, mergeLabels } from '@crmkit/core'
import type sanitizeHtml from 'sanitize-html'
import { cleanCustomFields, cleanText } from '../../connectors/clean-text.ts'
import type { RecordModule, SourceRecord, SourceWarning } from '../../ports/connector.ts'
import { atFirstUse } from '../../shared/at-first-use.ts'

const sanitizer = atFirstUse<typeof sanitizeHtml>('sanitize-html')

/** The part of one record that an import writes, cleaned; later imports compare the values field by field. */
export interface RecordDraft {
  kind: 'customers' | 'conversations' | 'messages' | 'calls'
  /** By the path of the field here; `custom.` stands for the custom fields of the source. */
  values: Record<string, unknown>
  /** Further e-mails of a person. */
  emails: string[]
  /** Further phone numbers of a person, as they are written at the source. */
  phones: string[]
  /** Written at creation alone. */
  tags: string[]
  warnings: readonly SourceWarning[]
  /** Set when the record cannot be imported. */
  invalid: string | null
  /** Digest of everything that a later import may write. */
  hash: string
}

const kindOfModule: Readonly<Record<RecordModule, RecordDraft['kind']>> = {
  Accounts: 'customers',
  Contacts: 'customers',
  Leads: 'customers',
  Deals: 'conversations',
  Cases: 'conversations',
  Notes: 'messages',
  Emails: 'messages',
  Calls: 'calls',
  Events: 'calls',
  Tasks: 'calls',
  people: 'customers',
}

export function kindOf(module: RecordModule): RecordDraft['kind'] {
  return kindOfModule[module]
}

const phoneLengthMax = 40
const lengths: Readonly<Record<string, number>> = {
  'profile.firstName': 100,
  'profile.lastName': 100,
  'profile.phone': phoneLengthMax,
  'profile.company': 200,
  jobTitle: 200,
  subject: 500,
}
const contentLengthMax = 65_536

class Cleaner {
  readonly warnings: SourceWarning[] = []

  text(path: string, value: unknown): string | null {
    const { text, isCut } = cleanText(value, { lengthMax: lengths[path] ?? 200 })
    if (isCut) this.cut(path)
    return text
  }

  lines(path: string, value: unknown, lengthMax = contentLengthMax): string | null {
    const { text, isCut } = cleanText(value, { lengthMax, hasLines: true })
    if (isCut) this.cut(path)
    return text
  }

  cut(path: string): void {
    this.warnings.push({ code: 'SOURCE_TRUNCATED', message: `${path} is longer than it may be here` })
  }

  customFields(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const clean = cleanCustomFields(fields)
    for (const column of clean.left) {
      const message = 'the custom fields have no place for it: some of its values are not imported'
      this.warnings.push({ code: 'COLUMN_NOT_STORED', message, column, isCounted: true })
    }
    return Object.fromEntries(Object.entries(clean.fields).map(([name, value]) => [`custom.${name}`, value]))
  }
}

/** Returns the text of HTML, with a newline for each end of a block. */
function textOfHtml(html: string): string {
  const broken = html.replace(/<(br|\/p|\/div|\/li|\/tr|\/h[1-6])\b[^<>]*>/gi, '\n$&')
  const bare = sanitizer()(broken, { allowedTags: [], allowedAttributes: {} })
  const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' }
  return bare.replace(/&(amp|lt|gt|quot);/g, (entity) => entities[entity] ?? entity)
}

function personDraft({ fields, customFields, emailName = 'Email' }: SourceRecord, clean: Cleaner) {
  const email = clean.text('profile.email', fields.email)
  const isValid = email !== null && isEmail(email)
  if (email !== null && !isValid) {
    const message = 'email is no e-mail address'
    clean.warnings.push({ code: 'INVALID_VALUE', message, column: emailName })
  }
  const others = isValid || email === null ? customFields : { ...customFields, [emailName]: email }
  const values: Record<string, unknown> = {
    'profile.firstName': clean.text('profile.firstName', fields.firstName),
    'profile.lastName': clean.text('profile.lastName', fields.lastName),
    'profile.email': isValid ? email : null,
    'profile.phone': clean.text('profile.phone', fields.phone),
    'profile.company': clean.text('profile.company', fields.company),
    jobTitle: clean.text('jobTitle', fields.jobTitle),
    ...clean.customFields(others),
  }
  const named = ['profile.firstName', 'profile.lastName', 'profile.email', 'profile.phone']
  const isNamed = named.some((path) => values[path] !== null)
  return { values, invalid: isNamed ? null : 'has neither a name nor an e-mail address nor a phone number' }
}

function conversationDraft({ module, fields, customFields }: SourceRecord, clean: Cleaner) {
  const subject = clean.text('subject', fields.subject)
  return {
    values: {
      subject: subject ?? (module === 'Deals' ? 'Deal without a name' : 'Case without a subject'),
      priority: fields.priority ?? 'medium',
      description: clean.lines('description', bodyOf(fields.description, fields.isHtml)),
      ...clean.customFields(customFields),
    },
    invalid: null,
  }
}

function bodyOf(text: string | null | undefined, isHtml: boolean | undefined): string | null {
  if (text === null || text === undefined) return null
  return isHtml ? textOfHtml(text) : text
}

function noteDraft({ fields }: SourceRecord, clean: Cleaner) {
  const title = clean.text('subject', fields.title)
  const content = clean.lines('content', bodyOf(fields.content, fields.isHtml))
  const parts = [title, content].filter((part) => part !== null)
  const whole = clean.lines('content', parts.join('\n\n'))
  return { values: { content: whole }, invalid: whole === null ? 'is empty' : null }
}

function callDraft({ fields }: SourceRecord, clean: Cleaner) {
  const subject = clean.text('subject', fields.subject)
  const notes = [subject, clean.lines('notes', bodyOf(fields.notes ?? fields.description, fields.isHtml))]
  return {
    values: {
      notes: clean.lines('notes', notes.filter((part) => part !== null).join('\n'), 5_000),
      startedAt: fields.startedAt ?? null,
      endedAt: fields.endedAt ?? null,
      durationSeconds: fields.durationSeconds ?? null,
      from: clean.text('profile.phone', fields.fromNumber),
      to: clean.text('profile.phone', fields.toNumber),
    },
    invalid: null,
  }
}

/** Turns a record into what is written here. Pure. */
export function draftOf(record: SourceRecord): RecordDraft {
  const clean = new Cleaner()
  const kind = kindOf(record.module)
  const make = {
    customers: personDraft,
    conversations: conversationDraft,
    messages: noteDraft,
    calls: callDraft,
  }
  const { values, invalid } = make[kind](record, clean)
  const { person, parent, mergedIds } = record
  const emails = emailsOf(record, clean)
  const phones = phonesOf(record, clean)
  const hashed = JSON.stringify([
    Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1)),
    person,
    parent,
    mergedIds ?? [],
    ...(emails.length > 0 ? [emails] : []),
    ...(phones.length > 0 ? [{ phones }] : []),
  ])
  return {
    kind,
    values,
    emails,
    phones,
    tags: tagsOf(record, clean),
    warnings: [...record.warnings, ...clean.warnings],
    invalid,
    hash: hash('sha256', hashed, 'base64url'),
  }
}

const emailsMax = 20

/** A text that is no e-mail address is left out: the source may keep anything there. */
function emailsOf({ fields }: SourceRecord, clean: Cleaner): string[] {
  const emails = (fields.secondaryEmails ?? []).flatMap((given) => {
    const { text, isCut } = cleanText(given, { lengthMax: 200 })
    return text === null || isCut || !isEmail(text) ? [] : [text]
  })
  const distinct = [...new Set(emails)]
  if (distinct.length > emailsMax) {
    const message = `there are more than ${emailsMax} further e-mail addresses`
    clean.warnings.push({ code: 'SOURCE_TRUNCATED', message })
  }
  return distinct.slice(0, emailsMax)
}

const phonesMax = 20

/** A text that is too long for a number is left out: the record has it as a custom field. */
function phonesOf({ fields }: SourceRecord, clean: Cleaner): string[] {
  const phones = (fields.secondaryPhones ?? []).flatMap((given) => {
    const { text, isCut } = cleanText(given, { lengthMax: phoneLengthMax })
    return text === null || isCut ? [] : [text]
  })
  const distinct = [...new Set(phones)]
  if (distinct.length > phonesMax) {
    const message = `there are more than ${phonesMax} further phone numbers`
    clean.warnings.push({ code: 'SOURCE_TRUNCATED', message })
  }
  return distinct.slice(0, phonesMax)
}

const tagsMax = 50

function tagsOf({ fields }: SourceRecord, clean: Cleaner): string[] {
  const tags = (fields.tags ?? []).flatMap((tag) => {
    const { text, isCut } = cleanText(tag.replaceAll(',', ' '), { lengthMax: 64 })
    if (isCut) clean.cut('tags')
    return text === null ? [] : [text]
  })
  const merged = mergeLabels(tags)
  if (merged.length > tagsMax) {
    const message = `there are more than ${tagsMax} tags`
    clean.warnings.push({ code: 'SOURCE_TRUNCATED', message })
  }
  return merged.slice(0, tagsMax)
}
