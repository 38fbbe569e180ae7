import { normalizeEmail } from '@crmkit/core'
import { decodeWords } from './encoded-words.ts'
import { type Headers, readHeaders } from './header-block.ts'
import { isAddress, readAddresses } from './mail-addresses.ts'
import type { BouncedRecipient, BounceFacts } from './mail-facts.ts'
import type { MailPart } from './mail-tree.ts'
import { messageIds } from './message-ids.ts'

const recipientsMax = 100
const textLengthMax = 65_536

/** Types of the parts of a report: of RFC 3464, and with addresses beyond ASCII of RFC 6533. */
const statusTypes = ['message/delivery-status', 'message/global-delivery-status']
const returnedTypes = ['message/rfc822', 'text/rfc822-headers', 'message/global', 'message/global-headers']

/** Returns the facts of a report about a mail that the service may have sent; null for any other mail. */
export function readBounce(root: MailPart, headers: Headers, textOf: () => string): BounceFacts | null {
  return (
    readReport(root, headers) ??
    readForwardedComplaint(root, headers) ??
    readTextBounce(root, headers, textOf)
  )
}

/** Whether a mail is a report in the form of a standard, which no person writes. */
export function isReport(root: MailPart): boolean {
  return root.type === 'multipart/report'
}

/** Filters of companies send a status in a mail of any type. */
function holdsStatus(root: MailPart, headers: Headers): boolean {
  const isOther =
    root.type.startsWith('multipart/') && root.parts.some(({ type }) => statusTypes.includes(type))
  return isOther && isOfMailSystem(headers)
}

function readReport(root: MailPart, headers: Headers): BounceFacts | null {
  if (!isReport(root) && !holdsStatus(root, headers)) return null
  const returned = root.parts.find(({ type }) => returnedTypes.includes(type))
  const returnedHeaders = returned === undefined ? undefined : readHeaders(returned.bytes)
  const returnedMessageId = messageIds(returnedHeaders?.first('message-id'))[0] ?? null
  // Some servers call their sentences a status too.
  const statuses = root.parts.filter(({ type }) => statusTypes.includes(type))
  const recipients = statuses.flatMap(({ bytes }) => readRecipients(bytes)).slice(0, recipientsMax)
  // Anybody can give a mail this type: what names no recipient and no mail is a report from a mail system alone.
  const saysSomething = recipients.length > 0 || returnedMessageId !== null
  if (statuses.length > 0 && (saysSomething || isOfMailSystem(headers)))
    return { form: 'report', recipients, returnedMessageId }
  const complaint = root.parts.find(({ type }) => type === 'message/feedback-report')
  if (complaint === undefined) return null
  return { form: 'complaint', recipients: complainants(complaint, returnedHeaders), returnedMessageId }
}

/** Outlook.com returns the mail itself, with the recipient who has complained in a header of its own. */
function readForwardedComplaint(root: MailPart, headers: Headers): BounceFacts | null {
  if (!/^\s*complaint about message from\b/i.test((headers.first('subject') ?? '').slice(0, 100))) return null
  const returned = root.parts.find(({ type }) => type === 'message/rfc822')
  const returnedHeaders = returned === undefined ? undefined : readHeaders(returned.bytes)
  const recipient = addressOf(returnedHeaders?.first('x-hmxmroriginalrecipient'))
  if (recipient === undefined) return null
  const returnedMessageId = messageIds(returnedHeaders?.first('message-id'))[0] ?? null
  return { form: 'complaint', recipients: [complainant(recipient, 'abuse')], returnedMessageId }
}

function complainant(address: string, type: string): BouncedRecipient {
  const text = `Complaint: ${type}`.slice(0, 100)
  return { address, originalAddress: null, action: 'complaint', status: null, text }
}

/** A complaint (RFC 5965) names its recipient, or the mail that it returns has exactly one. */
function complainants({ bytes }: MailPart, returned: Headers | undefined): BouncedRecipient[] {
  const headers = readHeaders(bytes)
  const type = (headers.first('feedback-type') ?? '').trim().toLowerCase()
  if (type === 'not-spam') return []
  const named = readAddresses(headers.all('original-rcpt-to'))
  const returnedTo = readAddresses(returned?.all('to') ?? [])
  const found = named.length > 0 ? named : returnedTo.length === 1 ? returnedTo : []
  return found.slice(0, recipientsMax).map(({ address }) => complainant(address, type))
}

/** The report is groups of headers that empty lines separate: one of the report, then one for each recipient. */
function readRecipients(bytes: Uint8Array): BouncedRecipient[] {
  const recipients: BouncedRecipient[] = []
  let group: string[] = []
  for (const line of [...Buffer.from(bytes).toString('utf8').split('\n'), '']) {
    if (line.trim() !== '') {
      group.push(line)
      continue
    }
    const recipient = group.length === 0 ? undefined : recipientOf(group.join('\n'))
    if (recipient !== undefined) recipients.push(recipient)
    if (recipients.length >= recipientsMax) break
    group = []
  }
  return recipients
}

function recipientOf(group: string): BouncedRecipient | undefined {
  const headers = readHeaders(Buffer.from(group))
  const final = addressOf(headers.first('final-recipient'))
  const original = addressOf(headers.first('original-recipient'))
  const address = final ?? original
  if (address === undefined) return undefined
  const status = /\b([245]\.\d{1,3}\.\d{1,3})\b/.exec(headers.first('status') ?? '')?.[1] ?? null
  const text =
    headers
      .first('diagnostic-code')
      ?.replace(/^[^;]*;\s*/, '')
      .slice(0, 500) ?? null
  const action = (headers.first('action') ?? 'failed').trim().toLowerCase()
  return { address, originalAddress: original ?? null, action, status, text }
}

/** Reads `rfc822;ada@example.com`, and `utf-8;` with characters that are escaped (RFC 6533, section 3). */
function addressOf(field: string | undefined): string | undefined {
  const text = (field ?? '')
    .slice(0, 1_000)
    .replace(/^[^;]*;/, '')
    .replace(/\\x\{([0-9a-f]{2,6})\}/gi, (_, hex: string) => characterOf(hex))
  const address = normalizeEmail(text.trim().replace(/^<|>$/g, ''))
  return isAddress(address) ? address : undefined
}

function characterOf(hex: string): string {
  const code = Number.parseInt(hex, 16)
  return code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : ''
}

const daemon = /^(?:(?:mailer|mail)-?daemon|mail[.-]delivery[.-](?:sub)?system)@/
const postmaster = /^post_?master@/
const failureSubject =
  /undeliver|deliver(?:y|ed)? (?:status|failure|has failed|problem|delayed)|failure notice|returned (?:mail|to sender)|mail delivery|not (?:be )?delivered|unzustellbar|non remis|no entregado|недоставлен|не доставлен|配信できません|メールエラー/i
/** A sentence of a mail system without a sender: its subject may be that of the mail. */
const failureSentence =
  /(?:not|unable|failed) (?:be |to )?(?:reach|deliver)|could not be delivered|delivery (?:has )?failed|undeliverable|配信できません/i
/** Above the mail that is returned. */
const returnedStart = /^(?:-{3,}|={3,}|return-path:|received:|message-id:|from:|x-[a-z-]+:)/i
/** A line of hyphens with other words is the title of the sentences about the recipients. */
const ruler = /^[-=]{3,}/
const delay = /\bdelay(?:ed)?\b|\bwill (?:be )?retr|\bstill trying\b|not yet been delivered|\bwarning\b/i

/** Whether the sender of a mail said that nobody wants an answer to it (RFC 5321, section 4.5.5). */
export function hasNullSender(headers: Headers): boolean {
  return /^\s*<\s*>\s*$/.test(headers.first('return-path')?.slice(0, 100) ?? '')
}

/** Whether a mail system wrote a mail, by its sender, or by a subject that no reply of a person has. */
function isOfMailSystem(headers: Headers): boolean {
  const [from] = readAddresses(headers.all('from'))
  const address = from?.address ?? ''
  if (daemon.test(address) || /^[^@]{0,100}\bmailer-daemon\b/i.test(headers.first('from') ?? '')) return true
  const isFailure = failureSubject.test(decodeWords((headers.first('subject') ?? '').slice(0, 500)))
  return isFailure && (hasNullSender(headers) || postmaster.test(address))
}

/** Whether a mail system has written it, by its headers, or by a sentence of a sender that wants no reply. */
function isFailure(root: MailPart, headers: Headers, text: string): boolean {
  const returns = root.parts.some(({ type }) => returnedTypes.includes(type))
  const isNobody = hasNullSender(headers) || (returns && hasDaemonPath(headers))
  return isOfMailSystem(headers) || (isNobody && failureSentence.test(text.slice(0, sentencesMax)))
}

const sentencesMax = 4_000

function hasDaemonPath(headers: Headers): boolean {
  return /^\s*<?mailer-daemon\b/i.test(headers.first('return-path')?.slice(0, 100) ?? '')
}

/** Reads what mail systems without a standard write: Exim, qmail, and the large providers. */
function readTextBounce(root: MailPart, headers: Headers, textOf: () => string): BounceFacts | null {
  const isPossible = isOfMailSystem(headers) || hasNullSender(headers) || hasDaemonPath(headers)
  if (!isPossible) return null
  const text = textOf().slice(0, textLengthMax)
  if (!isFailure(root, headers, text)) return null
  const lines = text.split('\n')
  const said = lines.slice(0, endOfSentences(lines))
  const failed = readAddresses(headers.all('x-failed-recipients')).map(({ address }) => address)
  const named = said
    .filter((line) => !returnedStart.test(line.trimStart()) || ruler.test(line))
    .flatMap(addressesIn)
  const addresses = [failed, named, recipientReturned(root, lines)].find(({ length }) => length > 0) ?? []
  const sentence = said.join(' ')
  const codes = sentence.match(/\b[45]\.\d{1,3}\.\d{1,3}\b/g) ?? []
  const status = codes.find((code) => /^5\.(?:1\.\d+|2\.1)$/.test(code)) ?? codes[0] ?? null
  const isDelay = status?.startsWith('4') === true || (status === null && delay.test(sentence))
  const returnedIds = lines.slice(said.length).flatMap((line) => {
    return /^\s*message-id:/i.test(line) ? messageIds(line) : []
  })
  return {
    form: 'text',
    recipients: [...new Set(addresses.slice(0, recipientsMax))].map((address) => ({
      address,
      originalAddress: null,
      action: isDelay ? 'delayed' : 'failed',
      status,
      text: diagnosisIn(said),
    })),
    returnedMessageId: returnedIds[0] ?? null,
  }
}

/** Returns where the returned mail begins: behind the first line that names an address. */
function endOfSentences(lines: readonly string[]): number {
  const isStart = (line: string) => returnedStart.test(line.trimStart())
  const firstNamed = lines.findIndex((line) => !isStart(line) && addressesIn(line).length > 0)
  const end = lines.findIndex((line, at) => at > firstNamed && isStart(line))
  return end === -1 ? lines.length : end
}

/** Returns the recipient of the returned mail if it has exactly one: sentences that name nobody are about that one. */
function recipientReturned(root: MailPart, lines: readonly string[]): string[] {
  const part = root.parts.find(({ type }) => returnedTypes.includes(type))
  const inText = lines.filter((line) => /^\s*to:/i.test(line)).slice(0, 1)
  const headers =
    part === undefined
      ? inText.map((line) => line.replace(/^\s*to:/i, ''))
      : readHeaders(part.bytes).all('to')
  const found = readAddresses(headers.map((header) => header.slice(0, 1_000)))
  return found.length === 1 ? found.map(({ address }) => address) : []
}

/** Returns the addresses of a line. */
function addressesIn(line: string): string[] {
  // bounded: 1,000 characters.
  const found = line.slice(0, 1_000).match(/[^\s<>()[\]"',;:]+@[^\s<>()[\]"',;:]+/g) ?? []
  return found.map((text) => normalizeEmail(text.replace(/\.$/, ''))).filter(isAddress)
}

/** Returns the line with a code of SMTP. */
function diagnosisIn(lines: readonly string[]): string | null {
  return (
    lines
      .find((line) => /\b[45]\d\d\b|\b[45]\.\d/.test(line))
      ?.trim()
      .slice(0, 500) ?? null
  )
}
