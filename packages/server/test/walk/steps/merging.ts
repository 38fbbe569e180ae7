import { pickName, stepKind } from '../step-kind.ts'
import { readers } from './reading.ts'

export const mergingSteps = {
  /** A merge that is taken back at once leaves both conversations as they were. */
  'conversations.merge': stepKind<{ target: string; source: string }>({
    weight: 2,
    choose(choosing) {
      const { model } = choosing
      const target = pickName(choosing, model.conversations)
      const source = pickName(choosing, model.conversations)
      return target && source && target !== source ? { target, source } : undefined
    },
    async run(walker, { target, source }) {
      const pair = [target, source].map((name) => walker.model.conversations.get(name))
      if (pair.some((one) => one === undefined || one.isGone)) return
      const at = (name: string) => `/api/v1/conversations/${walker.id(name)}`
      const read = async (name: string) => (await walker.expect(200, 'GET', at(name))).data
      const [before, other] = [await read(target), await read(source)]
      const mayMerge = before.customerId !== null && before.customerId._id === other.customerId?._id
      const isOfVisitor = [before, other].some(({ source }) => source === 'widget')
      if (!mayMerge || isOfVisitor) return
      const body = { sourceId: walker.id(source) }
      const { data } = await walker.expect(200, 'POST', `${at(target)}/merge`, body)
      walker.same(data.messageCount, before.messageCount + other.messageCount, `the messages of ${target}`)
      await walker.expect(409, 'PUT', at(source), { priority: 'high' })
      await walker.expect(200, 'POST', `${at(source)}/unmerge`)
      const isRelabelled = data.labels.length > before.labels.length
      const relabelled = isRelabelled ? [`conversation.updated ${target}`] : []
      walker.events.push(`conversation.updated ${source}`)
      if (other.status !== 'closed') walker.events.push(`conversation.closed ${source}`)
      walker.events.push(...relabelled, `conversation.merged ${target}`)
      walker.events.push(`conversation.updated ${source}`, ...relabelled, `conversation.unmerged ${target}`)
      // The number never falls, and what was unread of the target before is unread after it.
      const [merged] = pair
      const users = readers.map((reader) => `u-${reader}`)
      const seen = users.map((user) => walker.model.readSeq(user, target))
      if (merged) merged.seq += other.seq
      for (const [index, user] of users.entries()) {
        const readSeq = (seen[index] ?? 0) + other.seq
        if (walker.model.readSeq(user, target) !== readSeq) walker.model.setRead(user, target, readSeq)
      }
      for (const [name, was] of [
        [target, before],
        [source, other],
      ] as const) {
        const is = await read(name)
        for (const field of ['status', 'labels', 'messageCount', 'mergedFrom', 'mergedInto', 'snoozedUntil'])
          walker.same(is[field], was[field], `${field} of ${name}`)
      }
    },
  }),
}
