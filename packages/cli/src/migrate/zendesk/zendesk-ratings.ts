import type { Reading } from '../reading.ts'
import { contentOf, idOf, type Row, secondsOf, textOf, timeOf } from '../values.ts'
import { readAllowedList } from './zendesk-pages.ts'

const scores: Readonly<Record<string, number>> = { good: 1, bad: 0 }

/** Ratings that customers gave; one that was only asked for is none. */
export function readRatings(reading: Reading): Promise<void> {
  const { since } = reading
  const query = { score: 'received', ...(since !== null && { start_time: secondsOf(since) }) }
  const list = { path: 'api/v2/satisfaction_ratings', name: 'satisfaction_ratings', query }
  const write = async (row: Row) => {
    const score = scores[String(row['score'])]
    const conversationId = idOf(row['ticket_id'])
    const at = timeOf(row['created_at'])
    if (score === undefined || conversationId === undefined || at === undefined) return
    // A later pass rates tickets of earlier packages too.
    if (since === null && !reading.has('conversations', conversationId))
      return reading.leaveOut('ratings', 'Its ticket is not in the package')
    const { content } = contentOf(row['comment'])
    await reading.write('ratings', {
      conversationId,
      score,
      scale: 1,
      at,
      ...(content !== '' && { comment: content }),
      ...reading.fields([['Reason', textOf(row['reason'])]]),
    })
  }
  return readAllowedList(reading, list, { kind: 'ratings', write })
}
