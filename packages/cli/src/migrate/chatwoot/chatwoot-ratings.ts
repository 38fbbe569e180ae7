import type { Reading } from '../reading.ts'
import { RefusedError } from '../source-error.ts'
import { contentOf, idOf, type Row, rowsOf, secondsOf, timeOf } from '../values.ts'

/** Answers to surveys, from 1 to 5: https://github.com/chatwoot/chatwoot/blob/develop/app/controllers/api/v1/accounts/csat_survey_responses_controller.rb */
export async function readRatings(reading: Reading): Promise<void> {
  const seen = new Set<string>()
  const since = reading.since === null ? undefined : secondsOf(reading.since)
  try {
    for (let page = 1; ; page += 1) {
      const rows = rowsOf(await reading.client.askAny('csat_survey_responses', { query: { page, since } }))
      const fresh = rows.filter((row) => !seen.has(idOf(row['id']) ?? ''))
      if (fresh.length === 0) return
      for (const row of fresh) {
        seen.add(idOf(row['id']) ?? '')
        await writeRating(reading, row)
      }
    }
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error
    reading.leaveOut('ratings', `The account does not show its list (${error.status})`, null)
  }
}

export async function writeRating(reading: Reading, row: Row): Promise<void> {
  const conversationId = idOf(row['conversation_id'])
  const score = row['rating']
  const at = timeOf(row['created_at'])
  if (conversationId === undefined || typeof score !== 'number' || at === undefined) return
  if (reading.since === null && !reading.has('conversations', conversationId))
    return reading.leaveOut('ratings', 'Its conversation is not in the package')
  const { content } = contentOf(row['feedback_message'])
  await reading.write('ratings', {
    conversationId,
    score,
    scale: 5,
    at,
    ...(content !== '' && { comment: content }),
  })
}
