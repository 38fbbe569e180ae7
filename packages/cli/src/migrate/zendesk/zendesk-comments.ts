import type { PackageAuthor } from '@crmkit/core/package'
import type { Reading } from '../reading.ts'
import { contentOf, idOf, isAddress, type Row, rowOf, rowsOf, textOf, timeOf } from '../values.ts'
import { writeCall } from './zendesk-calls.ts'
import type { CommentedTicket, Users } from './zendesk-commented.ts'
import { attachFiles, withPictures } from './zendesk-files.ts'

interface Commented {
  readonly comment: Row
  /** The users whom the response holds beside the comments. */
  readonly users: Users
}

/** A comment is a message, or a note when it is private, or a call. */
export async function writeComment(
  reading: Reading,
  ticket: CommentedTicket,
  given: Commented,
): Promise<void> {
  const { comment } = given
  const id = idOf(comment['id'])
  if (id === undefined) return reading.leaveOut('messages', 'The comment has no id')
  if (comment['type'] === 'VoiceComment') return writeCall(reading, ticket, comment)
  const author = authorOf(reading, ticket, given)
  const { contentType, content, isCut, attachmentIds } = await contentOfComment(reading, comment)
  const createdAt = timeOf(comment['created_at']) ?? reading.begunAt
  const record = { id, conversationId: ticket.id, author, content, contentType, createdAt, attachmentIds }
  if (comment['public'] === false) {
    if (isCut) reading.leaveOut('content', 'A note is longer than 900 kB')
    return reading.write('notes', record)
  }
  const direction = author.type === 'agent' || author.type === 'system' ? 'outbound' : 'inbound'
  await reading.write('messages', {
    ...record,
    direction,
    ...(isCut && { truncated: true }),
    ...(ticket.subject !== '' && { subject: ticket.subject.slice(0, 2_000) }),
    ...recipientsOf(ticket, comment, direction),
    // The schemas of Singer's tap-zendesk (shared/metadata.json) have it, the OpenAPI document does not.
    messageId: textOf(rowOf(rowOf(comment['metadata'])['system'])['message_id']) ?? null,
  })
}

/**
 * An author who is no agent today is the customer when they asked or got copies. Anybody else was an agent once: Zendesk
 * makes end users of those, or deletes them.
 */
function authorOf(reading: Reading, ticket: CommentedTicket, { comment, users }: Commented): PackageAuthor {
  const id = idOf(comment['author_id'])
  if (id === undefined || id.startsWith('-') || rowOf(comment['via'])['channel'] === 'rule')
    return { type: 'system', id: null }
  const agent = reading.agents.get(id)
  if (agent !== undefined) return { type: 'agent', id, name: agent.name, email: agent.email ?? null }
  const name = textOf(users.get(id)?.['name']) ?? null
  if (id !== ticket.requesterId && !ticket.copied.has(id)) return { type: 'agent', id: null, name }
  if (reading.has('people', id)) return { type: 'person', id, name }
  return { type: 'participant', id: null, name }
}

function recipientsOf(ticket: CommentedTicket, comment: Row, direction: 'inbound' | 'outbound') {
  if (direction === 'outbound') {
    const { address, name } = ticket.requester
    return isAddress(address) ? { to: [{ address, ...(name !== undefined && { name }) }] } : {}
  }
  const { from, to } = rowOf(rowOf(comment['via'])['source'])
  const address = textOf(rowOf(to)['address'], 320)
  if (!isAddress(address)) return {}
  // All recipients of the mail, as the via object reference says.
  const all = rowOf(from)['original_recipients']
  const others = Array.isArray(all) ? all.map((one) => textOf(one, 320)).filter(isAddress) : []
  const cc = [...new Set(others)].filter((one) => one.toLowerCase() !== address.toLowerCase()).slice(0, 500)
  return { to: [{ address }], ...(cc.length > 0 && { cc: cc.map((one) => ({ address: one })) }) }
}

async function contentOfComment(reading: Reading, comment: Row) {
  const html = textOf(comment['html_body'], Number.POSITIVE_INFINITY)
  const files = rowsOf(comment['attachments'])
  const attachmentIds = await attachFiles(reading, files)
  if (html === undefined) {
    const text = contentOf(comment['body'] ?? comment['plain_body'])
    return { ...text, contentType: 'text' as const, attachmentIds }
  }
  const shown = await withPictures(reading, { html, files, attachmentIds, comment })
  return { ...contentOf(shown), contentType: 'html' as const, attachmentIds }
}
