import { foldedFacts } from '@crmkit/core'
import { newestMessages } from '../shared/message-status-change.ts'
import { upgradeStep } from './upgrade-step.ts'

/**
 * Fills what the conversations of before say about their messages. A process of before may have counted a message since: its
 * time is that of another message then. A conversation whose source said when the last message was, and has none, stays so.
 */
export const lastMessagesStep = upgradeStep({
  name: 'lastMessages',
  kind: 'conversations',
  since: '0.3.0',
  needs: ({ lastMessageAt, lastMessage }) => lastMessageAt !== (lastMessage?.at ?? null),
  async upgrade(row, { store }) {
    const { _id: id, version: expectVersion, seq } = row
    const { lastMessageAt: _at, ...set } = foldedFacts(row, await newestMessages(store, id))
    if (set.lastMessage === null) return { writes: [] }
    // A message raises `seq` and not the version.
    return { writes: [{ op: 'patch', kind: 'conversations', id, expectVersion, set, when: { seq } }] }
  },
})
