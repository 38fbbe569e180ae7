import type { Conversation } from '../model.ts'
import { pickName, stepKind } from '../step-kind.ts'

const path = '/api/v1/canned-replies'
const [agent, owner] = [{ as: 'agent' }, { as: 'owner' }] as const

export const cannedReplySteps = {
  /** A reply is made by one user, seen by the others if it is shared, filled for a conversation, given to the team and deleted. */
  'cannedReplies.all': stepKind<{ conversation: string; isShared: boolean }>({
    weight: 2,
    choose(choosing) {
      const conversation = pickName(choosing, choosing.model.conversations)
      return conversation && { conversation, isShared: choosing.random.isOneIn(2) }
    },
    async run(walker, { conversation, isShared }, n) {
      const { isGone, subject } = walker.model.conversations.get(conversation) as Conversation
      const content = '{{conversation.subject|nothing}} {{agent.lastName|nobody}}'
      const body = { shortcut: `step${n}`, title: 'Prepared', content, isShared }
      const { data } = await walker.expect(201, 'POST', path, body, agent)
      const one = `${path}/${data._id}`
      const seen = isShared ? 200 : 404
      await walker.expect(seen, 'GET', one, undefined, owner)
      const listed = await walker.expect(200, 'GET', `${path}?shortcut=step${n}`, undefined, owner)
      walker.same(listed.data.length, isShared ? 1 : 0, 'a canned reply is listed')
      const about = { conversationId: walker.id(conversation) }
      const filled = await walker.expect(isGone ? 422 : 200, 'POST', `${one}/render`, about, agent)
      if (!isGone) walker.same(filled.data.content.split(' nobody')[0], subject, 'a filled reply')
      await walker.expect(seen === 404 ? 404 : 403, 'DELETE', one, undefined, { as: 'key' })
      const given = await walker.expect(200, 'PUT', one, { isShared: true, title: 'Given' }, agent)
      walker.same([given.data.isShared, given.data.title], [true, 'Given'], 'a canned reply of the team')
      await walker.expect(200, 'DELETE', one, undefined, owner)
      await walker.expect(404, 'GET', one, undefined, agent)
    },
  }),
}
