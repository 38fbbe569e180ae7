import type { Row } from '../../values.ts'
import { type DumpRow, isoOf } from './split-dump.ts'

/*
 * Rows of the database in the form in which the API shows them, so that both ways of reading make the same records. Numbers of words are those
 * of the models: https://github.com/chatwoot/chatwoot/tree/develop/app/models
 */

const conversationStatuses = ['open', 'resolved', 'pending', 'snoozed']
const priorities = ['low', 'medium', 'high', 'urgent']
const messageStatuses = ['sent', 'delivered', 'read', 'failed']
const roles = ['agent', 'administrator']
const mediums = ['sms', 'whatsapp']
const fileTypes = [
  'image',
  'audio',
  'video',
  'file',
  'location',
  'fallback',
  'share',
  'story_mention',
  'contact',
  'ig_reel',
]

type Given = string | null | undefined

function wordOf(words: readonly string[], number: Given): string | null {
  return number === null || number === undefined ? null : (words[Number(number)] ?? null)
}

function numberOf(text: Given): number | null {
  return text === null || text === undefined ? null : Number(text)
}

/** The API shows whole seconds since 1970. */
function secondsOf(text: Given): number | null {
  const time = isoOf(text)
  return time === undefined ? null : Math.floor(Date.parse(time) / 1000)
}

/** Some columns hold the JSON text of a JSON text: https://api.rubyonrails.org/classes/ActiveRecord/Store.html */
function jsonOf(text: Given): unknown {
  let value: unknown = text
  for (let depth = 0; depth < 2 && typeof value === 'string'; depth += 1) {
    try {
      value = JSON.parse(value)
    } catch {
      return null
    }
  }
  return value
}

export function agentOf(member: DumpRow, user: DumpRow): Row {
  return { id: user['id'], name: nameOfUser(user), email: user['email'], role: wordOf(roles, member['role']) }
}

export function nameOfUser(user: DumpRow): string | null {
  return user['display_name'] || user['name'] || null
}

export function inboxOf(inbox: DumpRow, channel: DumpRow | undefined): Row {
  const { id, name, channel_type } = inbox
  const { email, phone_number, medium } = channel ?? {}
  return { id, name, channel_type, email, phone_number, medium: wordOf(mediums, medium) }
}

export function definitionOf(row: DumpRow): Row {
  return { ...row, model: numberOf(row['attribute_model']) }
}

export function contactOf(row: DumpRow): Row {
  return {
    ...row,
    blocked: row['blocked'] === 't',
    created_at: secondsOf(row['created_at']),
    additional_attributes: jsonOf(row['additional_attributes']),
    custom_attributes: jsonOf(row['custom_attributes']),
  }
}

export function noteOf(row: DumpRow, user: DumpRow | undefined): Row {
  const { id, content } = row
  const by = user && { id: user['id'], name: nameOfUser(user) }
  return { id, content, user: by, created_at: secondsOf(row['created_at']) }
}

interface OfConversation {
  readonly channel: Given
  readonly labels: readonly string[]
}

export function conversationOf(row: DumpRow, { channel, labels }: OfConversation): Row {
  return {
    id: row['display_id'],
    inbox_id: row['inbox_id'],
    status: wordOf(conversationStatuses, row['status']),
    priority: wordOf(priorities, row['priority']),
    meta: { sender: { id: row['contact_id'] }, assignee: { id: row['assignee_id'] }, channel },
    labels,
    created_at: secondsOf(row['created_at']),
    updated_at: secondsOf(row['updated_at']),
    last_activity_at: secondsOf(row['last_activity_at']),
    snoozed_until: secondsOf(row['snoozed_until']),
    first_reply_created_at: secondsOf(row['first_reply_created_at']),
    additional_attributes: jsonOf(row['additional_attributes']),
    custom_attributes: jsonOf(row['custom_attributes']),
  }
}

interface OfMessage {
  readonly senderName: string | null
  readonly files: readonly Row[]
}

export function messageOf(row: DumpRow, { senderName, files }: OfMessage): Row {
  const isOfTeam = row['sender_type'] === 'User' || row['sender_type'] === 'Contact'
  const sender = { id: row['sender_id'], name: senderName, ...(!isOfTeam && { type: 'agent_bot' }) }
  return {
    id: row['id'],
    message_type: numberOf(row['message_type']),
    private: row['private'] === 't',
    status: wordOf(messageStatuses, row['status']),
    source_id: row['source_id'],
    content: row['content'],
    content_attributes: jsonOf(row['content_attributes']),
    created_at: secondsOf(row['created_at']),
    ...(row['sender_id'] && { sender }),
    attachments: files,
  }
}

export function fileOf(row: DumpRow, blob: DumpRow | undefined): Row {
  const { id, external_url, fallback_title, coordinates_lat, coordinates_long } = row
  return {
    id,
    file_type: wordOf(fileTypes, row['file_type']),
    fallback_title,
    coordinates_lat,
    coordinates_long,
    data_url: blob?.['key'] ?? external_url,
    filename: blob?.['filename'],
    content_type: blob?.['content_type'],
    file_size: numberOf(blob?.['byte_size']),
  }
}

export function ratingOf(row: DumpRow, conversationId: string | undefined): Row {
  return {
    conversation_id: conversationId,
    rating: numberOf(row['rating']),
    feedback_message: row['feedback_message'],
    created_at: secondsOf(row['created_at']),
  }
}
