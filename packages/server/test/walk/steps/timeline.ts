import type { Conversation } from '../model.ts'
import { pickName, stepKind } from '../step-kind.ts'

interface Entry {
  kind: 'message' | 'activity'
  at: string
  _id: string
  activity: null | { action: string; changes: Record<string, { from: unknown; to: unknown }> }
}

export const timelineSteps = {
  /** A timeline has every message, begins with the beginning, and its last changes are what the conversation is now. */
  'conversations.timeline': stepKind<{ conversation: string }>({
    weight: 2,
    choose(choosing) {
      const conversation = pickName(choosing, choosing.model.conversations)
      return conversation && { conversation }
    },
    async run(walker, { conversation }) {
      const { isGone } = walker.model.conversations.get(conversation) as Conversation
      const path = `/api/v1/conversations/${walker.id(conversation)}`
      const status = isGone ? 404 : 200
      const first = await walker.expect(status, 'GET', `${path}/timeline?order=asc&limit=3`)
      if (isGone) return
      const entries: Entry[] = [...first.data]
      for (let cursor = first.pagination.nextCursor; cursor !== null; ) {
        const next = await walker.expect(200, 'GET', `${path}/timeline?order=asc&limit=100&cursor=${cursor}`)
        entries.push(...next.data)
        cursor = next.pagination.nextCursor
      }
      const messages = await walker.expect(200, 'GET', `${path}/messages?limit=1`)
      const counted = entries.filter(({ kind }) => kind === 'message').length
      walker.same(counted, messages.pagination.total, 'the messages of a timeline')
      walker.same(entries.length, first.pagination.total, 'the entries of a timeline')
      const sorted = entries.toSorted((a, b) => (`${a.at}${a._id}` < `${b.at}${b._id}` ? -1 : 1))
      walker.same(entries, sorted, 'the order of a timeline')
      const activities = entries.flatMap(({ activity }) => activity ?? [])
      const begun = activities.filter(({ action }) => action === 'created').length
      walker.same(begun, 1, 'the beginning of a timeline')
      const { data } = await walker.expect(200, 'GET', path)
      for (const field of ['status', 'priority', 'subject', 'inboxId']) {
        const last = activities.findLast(({ changes }) => changes[field])
        if (last) walker.same(last.changes[field]?.to, data[field], `the last ${field} of a timeline`)
      }
    },
  }),
}
