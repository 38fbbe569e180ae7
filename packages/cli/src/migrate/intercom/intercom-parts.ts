import type { PackageAuthor } from '@crmkit/core/package'
import { nameOf, withOwnPictures } from '../own-pictures.ts'
import type { Reading } from '../reading.ts'
import { contentOf, idOf, isAddress, type Row, rowOf, rowsOf, textOf, timeOf } from '../values.ts'

export interface Conversation {
  readonly id: string
  readonly subject: string
  readonly personId: string | null
}

const removed = '(removed at the source)'

interface Source {
  readonly source: Row
  readonly createdAt: unknown
}

/** The message that began a conversation is no part of it. */
export async function writeSource(
  reading: Reading,
  conversation: Conversation,
  { source, createdAt }: Source,
): Promise<void> {
  const id = `${conversation.id}-source`
  const files = rowsOf(source['attachments'])
  if (textOf(source['body']) === undefined && files.length === 0 && source['redacted'] !== true) return
  await writeMessage(reading, conversation, { id, row: { ...source, created_at: createdAt } })
}

/** A part is a message or a note; one that only says what happened is left out. */
export async function writePart(reading: Reading, conversation: Conversation, part: Row): Promise<void> {
  const id = idOf(part['id'])
  if (id === undefined) return
  const hasWords = textOf(part['body']) !== undefined || rowsOf(part['attachments']).length > 0
  const isComment = part['part_type'] === 'comment' || part['part_type'] === 'note'
  if (!hasWords && !(isComment && part['redacted'] === true))
    return reading.leaveOut('messages', 'A line about what happened, not a message')
  await writeMessage(reading, conversation, { id, row: part })
}

interface Written {
  readonly id: string
  readonly row: Row
}

async function writeMessage(
  reading: Reading,
  conversation: Conversation,
  { id, row }: Written,
): Promise<void> {
  const author = authorOf(reading, conversation, rowOf(row['author']))
  const attachmentIds = await attachFiles(reading, id, row)
  const body = textOf(row['body'], Number.POSITIVE_INFINITY) ?? ''
  const isOwn = (host: string) =>
    /(^|\.)(intercom|intercomcdn|intercom-attachments|intercom-mail)[\w-]*\.(com|io|eu)$/.test(host)
  const html =
    row['redacted'] === true
      ? removed
      : await withOwnPictures(reading, { html: body, stored: [], attachmentIds, isOwn, id })
  const { content, isCut } = contentOf(html)
  const createdAt = timeOf(row['created_at']) ?? reading.begunAt
  const contentType = row['redacted'] === true ? ('text' as const) : ('html' as const)
  const record = {
    id,
    conversationId: conversation.id,
    author,
    content,
    contentType,
    createdAt,
    attachmentIds,
  }
  if (row['part_type'] === 'note') {
    if (isCut) reading.leaveOut('content', 'A note is longer than 900 kB')
    return reading.write('notes', record)
  }
  const direction = author.type === 'agent' || author.type === 'system' ? 'outbound' : 'inbound'
  await reading.write('messages', {
    ...record,
    direction,
    ...(isCut && { truncated: true }),
    ...mailOf(conversation, rowOf(row['email_message_metadata'])),
  })
}

/** Bots and workflows write for nobody of the team. */
function authorOf(reading: Reading, { personId }: Conversation, author: Row): PackageAuthor {
  const id = idOf(author['id'])
  const name = textOf(author['name']) ?? null
  const email = textOf(author['email']) ?? null
  if (author['type'] === 'admin') {
    const agent = id === undefined ? undefined : reading.agents.get(id)
    return agent === undefined
      ? { type: 'agent', id: null, name, email }
      : { type: 'agent', id: id ?? null, name: agent.name, email: agent.email ?? null }
  }
  if (author['type'] === 'bot' || author['type'] === 'team') return { type: 'system', id: null, name }
  if (id !== undefined && reading.has('people', id)) return { type: 'person', id, name, email }
  // A source without an author came from the one who asked.
  if (id === undefined && personId !== null) return { type: 'person', id: personId, name, email }
  return { type: 'participant', id: null, name, email }
}

function mailOf({ subject }: Conversation, mail: Row) {
  const of = (type: string) =>
    rowsOf(mail['email_address_headers']).flatMap((header) => {
      const address = textOf(header['email_address'], 320)
      const name = textOf(header['name'])
      if (header['type'] !== type || !isAddress(address)) return []
      return [{ address, ...(name !== undefined && { name }) }]
    })
  const [to, cc] = [of('to').slice(0, 500), of('cc').slice(0, 500)]
  const own = textOf(mail['subject']) ?? textOf(subject)
  const messageId = textOf(mail['message_id'])
  return {
    ...(own !== undefined && { subject: own }),
    ...(to.length > 0 && { to }),
    ...(cc.length > 0 && { cc }),
    ...(messageId !== undefined && { messageId }),
  }
}

const attachmentsMax = 100

/** Files have no ids of their own. */
async function attachFiles(reading: Reading, messageId: string, row: Row): Promise<string[]> {
  const files = rowsOf(row['attachments'])
  const ids: string[] = []
  for (const [index, file] of files.slice(0, attachmentsMax).entries()) {
    const address = textOf(file['url'], 10_000)
    const size = file['filesize']
    ids.push(
      await reading.attach({
        id: `${messageId}-${index + 1}`,
        filename:
          textOf(file['name']) ?? (address !== undefined && URL.canParse(address) ? nameOf(address) : 'file'),
        contentType: textOf(file['content_type']),
        address,
        ...(typeof size === 'number' && Number.isSafeInteger(size) && size >= 0 && { size }),
      }),
    )
  }
  reading.leaveOut('attachments', 'A part has at most 100 files', Math.max(0, files.length - attachmentsMax))
  return ids
}
