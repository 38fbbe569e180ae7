import { hash } from 'node:crypto'
import { type CannedReply, createCannedReplyBody, normalizeText } from '@crmkit/core'
import type { PackageRecord } from '@crmkit/core/package'
import { cleanText } from '../../connectors/clean-text.ts'
import { safeMailHtml } from '../../mail/parse/safe-mail-html.ts'
import { plainTextOf } from '../../shared/plain-text.ts'

/** The variables of other products, by the ones here. Source: their documents of macros and prepared replies. */
const variables: ReadonlyMap<string, string> = new Map([
  ['ticket.requester.first_name', '{{customer.firstName}}'],
  ['ticket.requester.last_name', '{{customer.lastName}}'],
  ['ticket.requester.name', '{{customer.firstName}} {{customer.lastName}}'],
  ['ticket.requester.email', '{{customer.email}}'],
  ['ticket.requester.phone', '{{customer.phone}}'],
  ['ticket.organization.name', '{{customer.company}}'],
  ['ticket.title', '{{conversation.subject}}'],
  ['ticket.id', '{{conversation._id}}'],
  ['current_user.first_name', '{{agent.firstName}}'],
  ['current_user.last_name', '{{agent.lastName}}'],
  ['current_user.name', '{{agent.firstName}} {{agent.lastName}}'],
  ['current_user.email', '{{agent.email}}'],
  ['contact.first_name', '{{customer.firstName}}'],
  ['contact.last_name', '{{customer.lastName}}'],
  ['contact.name', '{{customer.firstName}} {{customer.lastName}}'],
  ['contact.email', '{{customer.email}}'],
  ['contact.phone', '{{customer.phone}}'],
  ['agent.first_name', '{{agent.firstName}}'],
  ['agent.last_name', '{{agent.lastName}}'],
  ['agent.name', '{{agent.firstName}} {{agent.lastName}}'],
  ['agent.email', '{{agent.email}}'],
  ['inbox.name', '{{inbox.name}}'],
  ['conversation.id', '{{conversation._id}}'],
  ['first_name', '{{customer.firstName}}'],
  ['last_name', '{{customer.lastName}}'],
  ['name', '{{customer.firstName}} {{customer.lastName}}'],
  ['email', '{{customer.email}}'],
  ['phone', '{{customer.phone}}'],
  ['company.name', '{{customer.company}}'],
])
/** The ones here, as an export of crmkit has them. */
const own = new Set(
  [...variables.values()].flatMap((text) => text.split(/[{} ]/)).filter((name) => name !== ''),
)

const variable = /\{\{([^{}|]*)(?:\|([^{}]*))?\}\}/g
const contentMax = 20_000
const titleMax = 100
const shortcutMax = 40

export type PreparedReply = Pick<CannedReply, 'title' | 'content' | 'contentType'> & {
  /** Shortcuts that it may have, the best first. */
  shortcuts: string[]
  /** Variables that are not known here: their names stand in the text, in brackets. */
  unknown: string[]
  isCut: boolean
}

/** A reply that the team has. */
export interface TeamReply {
  title: string
  /** Digest of its text, which may be long. */
  digest: string
  /** The page at hand makes it. */
  isOfPage: boolean
}

export function teamReply({ title, content }: Pick<CannedReply, 'title' | 'content'>) {
  return { title, digest: hash('sha256', content, 'base64url') }
}

/** Returns the reply that a record of a package becomes; undefined for one without a text. */
export function preparedReply(record: PackageRecord<'replies'>): PreparedReply | undefined {
  const { contentType: given } = record
  const text =
    given === 'html' ? plainTextOf(safeMailHtml(record.content, () => undefined).html) : record.content
  const unknown = new Set<string>()
  const named = text.replace(variable, (_, name: string, behind: string | undefined) => {
    const read = variableOf(name.trim(), behind?.trim() ?? '')
    if (read === undefined) unknown.add(name.trim())
    return read ?? `[${name.trim()}]`
  })
  const content = cleanText(named, { lengthMax: contentMax, hasLines: true })
  const title = cleanText(record.title, { lengthMax: titleMax })
  const contentType = given === 'markdown' ? 'markdown' : 'text'
  const shortcuts = shortcutsOf(record)
  const body = {
    shortcut: shortcuts[0],
    title: title.text ?? shortcuts[0],
    content: content.text,
    contentType,
  }
  const read = createCannedReplyBody.safeParse(body)
  if (!read.success) return undefined
  const { title: shown, content: written } = read.data
  const isCut = content.isCut || title.isCut
  return { title: shown, content: written, contentType, shortcuts, unknown: [...unknown], isCut }
}

/** `behind`: what stands behind the bar. Here it is the default; elsewhere it is a filter, of which one names a default. */
function variableOf(name: string, behind: string): string | undefined {
  if (own.has(name)) return behind === '' ? `{{${name}}}` : `{{${name}|${behind}}}`
  const known = variables.get(name.toLowerCase())
  const usual = /^(?:fallback|default)\s*:\s*["']([^"']*)["']/.exec(behind)?.[1]
  // A default belongs to one variable.
  return usual === undefined ? known : (known?.replace('}}', () => `|${usual}}}`) ?? usual)
}

/** Without a word of its own a reply is found by its title. */
function shortcutsOf({ id, shortcut, title }: PackageRecord<'replies'>): string[] {
  const word = wordOf(shortcut ?? '') || wordOf(title) || wordOf(`reply-${id}`) || 'reply'
  const numbered = Array.from({ length: 9 }, (_, index) => `${word.slice(0, shortcutMax - 2)}-${index + 2}`)
  return [word, ...numbered]
}

function wordOf(text: string): string {
  // bounded: 200 characters.
  const letters = normalizeText(text.slice(0, 200), 'NFKD').toLowerCase().replace(/\p{M}/gu, '')
  const words = letters.split(/[^a-z0-9_]/).filter((word) => word !== '')
  return words
    .join('-')
    .replace(/^[-_]+/, '')
    .slice(0, shortcutMax)
}
