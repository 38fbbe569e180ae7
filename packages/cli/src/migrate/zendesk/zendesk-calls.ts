import type { Reading } from '../reading.ts'
import { contentOf, idOf, type Row, rowOf, rowsOf, textOf, timeOf } from '../values.ts'
import type { CommentedTicket } from './zendesk-commented.ts'
import { attachFiles } from './zendesk-files.ts'

/**
 * Writes a voice comment as a call, with its recording. The fields of `data` are those of the voice comment object:
 * https://developer.zendesk.com/documentation/ticketing/managing-tickets/adding-voice-comments-to-tickets
 */
export async function writeCall(reading: Reading, ticket: CommentedTicket, comment: Row): Promise<void> {
  const id = idOf(comment['id']) ?? ''
  const data = rowOf(comment['data'])
  const { rel } = rowOf(rowOf(comment['via'])['source'])
  const { requesterId: personId } = ticket
  const agentId = idOf(data['answered_by_id'])
  const notes = notesOf(comment, data)
  if (notes.isCut) reading.leaveOut('content', 'A transcript is longer than 900 kB')
  await reading.write('calls', {
    id,
    kind: 'call',
    direction: rel === 'outbound' ? 'outbound' : 'inbound',
    from: textOf(data['from']) ?? null,
    to: textOf(data['to']) ?? null,
    conversationId: ticket.id,
    personId: personId !== undefined && reading.has('people', personId) ? personId : null,
    agentId: agentId !== undefined && reading.has('agents', agentId) ? agentId : null,
    startedAt: timeOf(data['started_at']) ?? timeOf(comment['created_at']) ?? null,
    durationSeconds: secondsOf(data['call_duration']),
    notes: notes.content,
    attachmentIds: await filesOf(reading, { comment, id, recording: data['recording_url'] }),
  })
}

function secondsOf(given: unknown): number | null {
  const seconds = typeof given === 'string' ? Number(given) : given
  return typeof seconds === 'number' && Number.isSafeInteger(seconds) && seconds >= 0 ? seconds : null
}

function notesOf({ body }: Row, { transcription_text: transcript, location }: Row) {
  const place = textOf(location)
  const words = [textOf(transcript, Number.POSITIVE_INFINITY) ?? textOf(body, Number.POSITIVE_INFINITY)]
  if (place !== undefined) words.push(`Location: ${place}`)
  return contentOf(words.filter((one) => one !== undefined).join('\n\n'))
}

interface Recorded {
  readonly comment: Row
  readonly id: string
  readonly recording: unknown
}

async function filesOf(reading: Reading, { comment, id, recording }: Recorded): Promise<string[]> {
  const ids = await attachFiles(reading, rowsOf(comment['attachments']))
  const address = textOf(recording, 10_000)
  if (address === undefined) return ids
  const file = { id: `${id}-recording`, filename: `recording-${id}.mp3`, contentType: 'audio/mpeg', address }
  return [...ids.slice(0, 99), await reading.attach(file)]
}
