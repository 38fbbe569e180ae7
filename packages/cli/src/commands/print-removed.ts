import type { MessageReply } from '@crmkit/sdk'
import { cleanLine } from '../output/clean-text.ts'
import type { Output } from '../output/output.ts'
import { printJson } from '../output/print-json.ts'

/** What a deletion leaves: the server's sentence for people, the id for programs. */
export function printRemoved(output: Output, { id, reply }: { id: string; reply: MessageReply }): void {
  output.say(cleanLine(reply.message))
  if (output.json) printJson(output, { _id: id, deleted: true })
  else if (!output.isTerminal || output.isQuiet) output.print(cleanLine(id))
}
