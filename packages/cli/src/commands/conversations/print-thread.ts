import type { Message } from '@crmkit/sdk'
import { cleanLine, cleanLines } from '../../output/clean-text.ts'
import { relativeTime } from '../../output/format-time.ts'
import type { Output } from '../../output/output.ts'
import { senderOf } from './message-columns.ts'

/** Prints messages with their full text, which a table would truncate. */
export function printThread(output: Output, messages: readonly Message[]): void {
  const blocks = messages.map((message) => {
    const about = [kindOf(message), `${relativeTime(message.createdAt)}  ${message._id}`].join(', ')
    const head = `${output.style('bold', cleanLine(senderOf(message)))}  ${output.style('dim', cleanLine(about))}`
    const files = message.attachments.map(({ _id, filename }) => cleanLine(`[${filename}]  ${_id}`))
    return [head, ...[...cleanLines(message.content), ...files].map((line) => `  ${line}`)].join('\n')
  })
  if (blocks.length > 0) output.print(blocks.join('\n\n'))
}

/** Omits the status `sent`, which every stored message has. */
function kindOf({ type, direction, status }: Message): string {
  if (type === 'note') return 'note'
  return status === 'sent' ? direction : `${direction}, ${status}`
}
