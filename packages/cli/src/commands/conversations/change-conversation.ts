import type { UpdateConversation } from '@crmkit/sdk'
import type { Context } from '../../context.ts'
import { printRecord } from '../../output/print-record.ts'
import { openClient } from '../../profile/open-client.ts'
import { conversationColumns } from './conversation-columns.ts'

interface Change {
  readonly id: string
  readonly body: UpdateConversation
  /** What the person is told, as a sentence. */
  readonly said: string
}

export async function changeConversation(context: Context, { id, body, said }: Change): Promise<void> {
  const client = await openClient(context)
  const row = await client.call((crm) => crm.conversations.update(id, body))
  context.output.say(said)
  printRecord(context.output, { row, columns: conversationColumns, quiet: row._id })
}
