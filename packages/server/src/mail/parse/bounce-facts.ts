import { normalizeEmail } from '@crmkit/core'
import { readHeaders } from './header-block.ts'
import { isAddress } from './mail-addresses.ts'
import type { BouncedRecipient, BounceFacts } from './mail-facts.ts'
import type { MailPart } from './mail-tree.ts'
import { messageIds } from './message-ids.ts'

const recipientsMax = 100

/** Returns the facts of a delivery status notification (RFC 3464); null for any other mail. */
export function readBounce(root: MailPart): BounceFacts | null {
  if (root.type !== 'multipart/report') return null
  const status = root.parts.find(({ type }) => type === 'message/delivery-status')
  if (status === undefined) return null
  const returned = root.parts.find(({ type }) => type === 'message/rfc822' || type === 'text/rfc822-headers')
  const returnedIds =
    returned === undefined ? [] : messageIds(readHeaders(returned.bytes).first('message-id'))
  return { recipients: readRecipients(status.bytes), returnedMessageId: returnedIds[0] ?? null }
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
  const named = headers.first('final-recipient') ?? headers.first('original-recipient')
  const address = normalizeEmail(
    (named ?? '')
      .replace(/^[^;]*;/, '')
      .trim()
      .replace(/^<|>$/g, ''),
  )
  if (!isAddress(address)) return undefined
  const status = /\b([245]\.\d{1,3}\.\d{1,3})\b/.exec(headers.first('status') ?? '')?.[1] ?? null
  const text =
    headers
      .first('diagnostic-code')
      ?.replace(/^[^;]*;\s*/, '')
      .slice(0, 500) ?? null
  return { address, action: (headers.first('action') ?? 'failed').trim().toLowerCase(), status, text }
}
