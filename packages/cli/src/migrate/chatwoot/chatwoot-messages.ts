import type { PackageAuthor } from '@crmkit/core/package'
import type { Reading } from '../reading.ts'
import { contentOf, idOf, isAddress, type Row, rowOf, rowsOf, textOf, textsOf, timeOf } from '../values.ts'

interface Conversation {
  readonly id: string
  readonly subject: string
  readonly personId: string | undefined
}

/** The numbers of `message_type`. */
const types = { incoming: 0, outgoing: 1, activity: 2, template: 3 } as const

export async function writeMessage(
  reading: Reading,
  conversation: Conversation,
  message: Row,
): Promise<void> {
  const id = idOf(message['id'])
  const type = message['message_type']
  if (id === undefined) return
  if (type === types.activity || type === 'activity')
    return reading.leaveOut('messages', 'A line about what happened, not a message')
  const author = authorOf(reading, conversation, message)
  const attachmentIds = await attachFiles(reading, message)
  const { contentType, content, isCut } = contentOfMessage(message)
  const createdAt = timeOf(message['created_at']) ?? reading.begunAt
  const record = {
    id,
    conversationId: conversation.id,
    author,
    content,
    contentType,
    createdAt,
    attachmentIds,
  }
  if (message['private'] === true) {
    if (isCut) reading.leaveOut('content', 'A note is longer than 900 kB')
    return reading.write('notes', record)
  }
  const direction = type === types.incoming || type === 'incoming' ? 'inbound' : 'outbound'
  await reading.write('messages', {
    ...record,
    direction,
    ...(isCut && { truncated: true }),
    ...mailOf(message, conversation),
    ...(direction === 'outbound' && statusOf(message['status'])),
  })
}

function statusOf(given: unknown): { status?: 'sent' | 'delivered' | 'read' | 'failed' } {
  return given === 'sent' || given === 'delivered' || given === 'read' || given === 'failed'
    ? { status: given }
    : {}
}

/** A template or a bot writes for nobody of the team. */
function authorOf(reading: Reading, { personId }: Conversation, message: Row): PackageAuthor {
  const sender = rowOf(message['sender'])
  const id = idOf(sender['id'])
  const name = textOf(sender['name']) ?? null
  const type = message['message_type']
  if (type === types.incoming || type === 'incoming') {
    const isPerson = id !== undefined && reading.has('people', id)
    if (isPerson) return { type: 'person', id, name }
    const isAsker = id === undefined && personId !== undefined && reading.has('people', personId)
    return isAsker ? { type: 'person', id: personId, name } : { type: 'participant', id: null, name }
  }
  if (type === types.template || type === 'template' || sender['type'] === 'agent_bot' || id === undefined)
    return { type: 'system', id: null, name }
  const agent = reading.agents.get(id)
  return agent === undefined
    ? { type: 'agent', id: null, name }
    : { type: 'agent', id, name: agent.name, email: agent.email ?? null }
}

const removed = '(removed at the source)'

/** Chatwoot keeps the whole text of a mail beside the part that it shows. */
function contentOfMessage(
  message: Row,
): ReturnType<typeof contentOf> & { contentType: 'text' | 'html' | 'markdown' } {
  const attributes = rowOf(message['content_attributes'])
  if (attributes['deleted'] === true) return { content: removed, isCut: false, contentType: 'text' }
  const email = rowOf(attributes['email'])
  const html = textOf(rowOf(email['html_content'])['full'], Number.POSITIVE_INFINITY)
  if (html !== undefined) return { ...contentOf(html), contentType: 'html' }
  const text = textOf(rowOf(email['text_content'])['full'], Number.POSITIVE_INFINITY)
  const words = [text ?? message['content'], ...rowsOf(message['attachments']).map(placeOf)]
  const whole = words.filter((one) => typeof one === 'string' && one !== '').join('\n\n')
  const isOutgoing = message['message_type'] === types.outgoing || message['message_type'] === 'outgoing'
  return { ...contentOf(whole), contentType: isOutgoing ? 'markdown' : 'text' }
}

/** Returns the words of an attachment without a file. */
function placeOf(file: Row): string | undefined {
  if (file['file_type'] === 'location') {
    const place = [textOf(file['fallback_title']), `${file['coordinates_lat']}, ${file['coordinates_long']}`]
    return `Location: ${place.filter(Boolean).join(' – ')}`
  }
  if (file['file_type'] === 'contact') return `Contact: ${textOf(file['fallback_title']) ?? 'unknown'}`
  if (file['file_type'] !== 'fallback') return undefined
  return [textOf(file['fallback_title']), textOf(file['data_url'])].filter(Boolean).join(' ') || undefined
}

function mailOf(message: Row, { subject }: Conversation) {
  const attributes = rowOf(message['content_attributes'])
  const email = rowOf(attributes['email'])
  const to = addressesOf(email['to'] ?? attributes['to_emails'])
  const cc = addressesOf(email['cc'] ?? attributes['cc_emails'])
  const own = textOf(email['subject']) ?? textOf(subject)
  // The Message-ID of a mail, in either direction; in other channels it is the id of the channel.
  const messageId = textOf(email['message_id']) ?? mailIdOf(message['source_id'])
  const inReplyTo = mailIdOf(email['in_reply_to'])
  return {
    ...(own !== undefined && { subject: own }),
    ...(to.length > 0 && { to }),
    ...(cc.length > 0 && { cc }),
    ...(messageId !== undefined && { messageId }),
    ...(inReplyTo !== undefined && { inReplyTo }),
  }
}

function mailIdOf(given: unknown): string | undefined {
  const text = textOf(given)
  return text?.includes('@') ? text : undefined
}

function addressesOf(given: unknown): { address: string }[] {
  const texts = typeof given === 'string' ? given.split(',') : textsOf(given, 320)
  return texts
    .map((text) => text.trim())
    .filter(isAddress)
    .slice(0, 500)
    .map((address) => ({ address }))
}

const attachmentsMax = 100

/** The API has the name of a file in its address only; a dump says the name, and the type. */
async function attachFiles(reading: Reading, message: Row): Promise<string[]> {
  const ids: string[] = []
  const files = rowsOf(message['attachments']).filter((file) => placeOf(file) === undefined)
  for (const file of files.slice(0, attachmentsMax)) {
    const id = idOf(file['id'])
    const address = textOf(file['data_url'], 10_000)
    if (id === undefined) continue
    const size = file['file_size']
    ids.push(
      await reading.attach({
        id,
        filename:
          textOf(file['filename']) ?? nameOf(address) ?? `${textOf(file['file_type'], 40) ?? 'file'}-${id}`,
        address,
        contentType: textOf(file['content_type']),
        ...(typeof size === 'number' && Number.isSafeInteger(size) && size >= 0 && { size }),
      }),
    )
  }
  reading.leaveOut(
    'attachments',
    'A message has at most 100 files',
    Math.max(0, files.length - attachmentsMax),
  )
  return ids
}

function nameOf(address: string | undefined): string | undefined {
  const last = URL.parse(address ?? '')
    ?.pathname.split('/')
    .at(-1)
  if (last === undefined) return undefined
  try {
    return textOf(decodeURIComponent(last))
  } catch {
    return textOf(last)
  }
}
