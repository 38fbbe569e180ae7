import type { Conversation } from '@crmkit/sdk'
import type { Context } from '../../context.ts'
import { isForPeople } from '../../output/output.ts'
import { printRecord } from '../../output/print-record.ts'
import type { Client } from '../../profile/open-client.ts'
import { conversationColumns, namedColumns } from './conversation-columns.ts'
import { readNames } from './read-names.ts'

/** Prints one conversation; on a terminal with the names of its people. */
export async function printConversation(
  { output }: Context,
  { call }: Client,
  row: Conversation,
): Promise<void> {
  const columns = isForPeople(output)
    ? namedColumns(await call((crm) => readNames(crm, [row])))
    : conversationColumns
  printRecord(output, { row, columns, quiet: row._id })
}
