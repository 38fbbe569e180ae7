import type { ConversationRecord } from '../../../storage/kinds/conversations.ts'
import type { ShareOfFigures } from '../../../storage/kinds/figure-shares.ts'
import { firstResponses } from './first-response.ts'

const hourLength = 'YYYY-MM-DDTHH'.length
const hourOf = (moment: string) => moment.slice(0, hourLength)

/**
 * Returns what the figures hold of a conversation, which follows from its row as it is; undefined for one that was merged into
 * another: that one is counted. `firstInboundAt` is the time of its first message from outside.
 */
export function shareOf(
  conversation: ConversationRecord,
  firstInboundAt: string | undefined,
): ShareOfFigures | undefined {
  const { createdAt, closedAt, status, channel, assignedTo, inboxId, labels, mergedInto } = conversation
  if (mergedInto) return undefined
  return {
    createdHour: hourOf(createdAt),
    closedHour: status === 'closed' && closedAt !== null ? hourOf(closedAt) : null,
    bucket: bucketOf(conversation, firstInboundAt),
    channel,
    agent: assignedTo ?? '',
    inbox: inboxId,
    labels,
  }
}

/** A team that wrote first has answered nobody before the first message: then the wait began with the conversation. */
function bucketOf(
  { firstResponseAt, createdAt }: ConversationRecord,
  firstInboundAt: string | undefined,
): number | null {
  if (firstResponseAt === null) return null
  const isBefore = firstInboundAt !== undefined && firstInboundAt <= firstResponseAt
  const since = isBefore ? firstInboundAt : createdAt
  return firstResponses.bucketOf(Date.parse(firstResponseAt) - Date.parse(since))
}
