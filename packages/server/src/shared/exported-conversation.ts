import { shownStatus } from '@crmkit/core'
import { exportedRow } from '../storage/kinds/derive.ts'
import type { Records } from '../storage/kinds/registry.ts'

type Conversation = Records['conversations']

/**
 * Returns a conversation as the export of a person has it. The words of its last message are somebody's, who may be another person: they
 * are exported with the message alone.
 */
export function exportedConversation(
  { lastMessage, ...row }: Conversation,
  subject: Parameters<typeof exportedRow>[2],
): Record<string, unknown> {
  const shown = lastMessage && { ...lastMessage, preview: null }
  return exportedRow('conversations', { ...row, status: shownStatus(row), lastMessage: shown }, subject)
}
