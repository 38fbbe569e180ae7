import { newChatMails } from '../../mail/out/plan-chat-mail.ts'
import type { Write } from '../../ports/change.ts'
import type { TenantStore } from '../../ports/storage.ts'
import { isoTime } from '../../shared/clock.ts'
import { UniqueConflict, VersionConflict } from '../../storage/errors.ts'

const triesMax = 10

interface Stopped {
  conversationId: string
  /** `addressMark` of the address. */
  mark: string
}

/** Ends the mail about a conversation to an address. Nothing happens for a conversation that was deleted. */
export async function stopMail(
  store: TenantStore,
  { conversationId, mark }: Stopped,
  nowMs: number,
): Promise<void> {
  const now = isoTime(nowMs)
  for (let tries = 1; ; tries++) {
    const [conversation, row] = await Promise.all([
      store.conversations.find(conversationId),
      store.chatMails.find(conversationId),
    ])
    if (conversation === undefined || row?.stopped.includes(mark)) return
    const write: Write = row
      ? {
          op: 'update',
          kind: 'chatMails',
          id: row._id,
          expectVersion: row.version,
          set: { stopped: [...row.stopped, mark], updatedAt: now },
        }
      : {
          op: 'insert',
          kind: 'chatMails',
          row: { ...newChatMails(conversation, { dueAt: null, now }), stopped: [mark] },
        }
    try {
      await store.commit({ writes: [write], events: [] })
      return
    } catch (error) {
      const isConflict = error instanceof VersionConflict || error instanceof UniqueConflict
      if (!isConflict || tries >= triesMax) throw error
    }
  }
}
