import { type Conversation, joined, without } from '../model.ts'
import { maybe, pickName, stepKind, words } from '../step-kind.ts'
import { become } from './conversations.ts'

interface Given {
  names: string[]
  status?: 'open' | 'closed' | 'pending' | 'snoozed' | undefined
  priority?: string | undefined
  assignee?: string | null | undefined
  added?: string[] | undefined
  removed?: string[] | undefined
  /** The change is for those that are open. */
  isOpenExpected: boolean
}

function changedBy(before: Conversation, given: Given): Conversation {
  const { status = before.status, priority = before.priority, assignee, added = [], removed = [] } = given
  const isSnoozed = status === 'snoozed'
  return {
    ...before,
    status,
    priority,
    assignee: assignee === undefined ? before.assignee : assignee,
    labels: joined(without(before.labels, removed), added),
    snoozedUntil: isSnoozed ? before.snoozedUntil : null,
    wakeOnReply: isSnoozed ? before.wakeOnReply : true,
  }
}

function codeOf(before: Conversation, { isOpenExpected }: Given): string | undefined {
  if (before.isGone) return 'NOT_FOUND'
  return isOpenExpected && before.status !== 'open' ? 'CONFLICT' : undefined
}

export const manyConversationSteps = {
  'conversations.updateMany': stepKind<Given>({
    weight: 4,
    choose(choosing) {
      const { random } = choosing
      const names = Array.from({ length: 12 }, () => pickName(choosing, choosing.model.conversations))
      const given: Given = {
        names: names.filter((name) => name !== undefined),
        status: maybe(random, 2, () => random.pick(['open', 'closed', 'pending', 'snoozed'] as const)),
        priority: maybe(random, 3, () => random.pick(['low', 'urgent'])),
        assignee: maybe(random, 3, () => random.pick(['u-owner', 'u-agent', null])),
        added: maybe(random, 2, () => [random.pick(words)]),
        removed: maybe(random, 3, () => [random.pick(words)]),
        isOpenExpected: random.isOneIn(4),
      }
      return given.names.length === 0 ? undefined : given
    },
    async run(walker, given) {
      const { names, status, priority, assignee, added, removed, isOpenExpected } = given
      const set = {
        ...(status && { status }),
        ...(priority && { priority }),
        ...(assignee !== undefined && { assignedTo: walker.idOrNull(assignee) }),
      }
      const body = {
        ids: names.map((name) => walker.id(name)),
        set,
        ...(added && { addLabels: added }),
        ...(removed && { removeLabels: removed }),
        ...(isOpenExpected && { expected: { status: 'open' } }),
      }
      const isEmpty = Object.keys(set).length === 0 && added === undefined && removed === undefined
      const path = '/api/v1/conversations/bulk'
      if (isEmpty) return void (await walker.expect(422, 'POST', path, body))
      const { data } = await walker.expect(200, 'POST', path, body)
      const rows = [...new Set(names)].map((name) => {
        const before = walker.model.conversations.get(name) as Conversation
        const code = codeOf(before, given)
        if (code !== undefined) return { name, result: 'failed', code }
        const after = changedBy(before, given)
        const isSame = JSON.stringify(before) === JSON.stringify(after)
        become(walker, after)
        return { name, result: isSame ? 'unchanged' : 'changed' }
      })
      walker.same(
        data.map(({ _id, ...row }: { _id: string }) => ({ name: walker.nameOf(_id), ...row })),
        rows,
        'the results of many conversations',
      )
    },
  }),
}
