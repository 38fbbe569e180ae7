import type { Activity } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { nameOfCustomer, nameOfUser } from '../../store/names.ts'
import type { Store } from '../../store/store.ts'
import { t } from '../../strings/strings.ts'
import { exactTime, momentTime } from '../../strings/times.ts'
import { Button } from '../../ui/button.tsx'
import { ProblemText, useSending } from '../../ui/sending.tsx'
import type { ActivityGroup } from './activity-groups.ts'

interface ActivityLineProps {
  readonly store: Store
  readonly group: ActivityGroup
}

/** A quiet line that says who changed what. */
export function ActivityLine({ store, group: { activities } }: ActivityLineProps): JSX.Element | null {
  const text = textOf(store, activities)
  if (text === undefined) return null
  const { at } = activities[0]
  return (
    <div class="activity-line">
      <bdi>{text}</bdi>{' '}
      <time dateTime={at} title={exactTime(at)}>
        {momentTime(at)}
      </time>{' '}
      <UndoMerge store={store} activities={activities} />
    </div>
  )
}

/** Takes back a merge that is the newest one of the conversation. */
function UndoMerge({ store, activities }: ActivityGroup & Pick<ActivityLineProps, 'store'>) {
  const { isSending, problem, send } = useSending()
  const newest = activities.findLast(({ action }) => action === 'merged')
  const target = newest && store.conversations.rows.row(newest.conversationId).value
  const sourceId = target?.mergedFrom.at(-1)
  const { to } = newest?.changes['mergedFrom'] ?? {}
  if (sourceId === undefined || !Array.isArray(to) || to.at(-1) !== sourceId) return null
  if (store.me.role === 'viewer') return null
  const unmerge = async () => store.conversations.take(await store.crm.conversations.unmerge(sourceId))
  return (
    <>
      <Button isSmall isDisabled={isSending} onClick={() => send(unmerge, t.actions.undone)}>
        {t.actions.undo}
      </Button>
      <ProblemText problem={problem} />
    </>
  )
}

/** Undefined when the changes say nothing to a reader: that a customer began is what the first message says. */
function textOf(store: Store, activities: ActivityGroup['activities']): string | undefined {
  const who = actorName(store, activities[0])
  const whats = activities.flatMap((activity) => whatsOf(store, activity))
  const [first] = activities
  if (isBegunByTeam(first)) return [t.activity.begun(who), ...whats].join(' · ')
  if (whats.length === 0) return undefined
  const to = assigneeAfter(first)
  if (activities.length === 1 && first.action === 'assigned' && to !== null)
    return t.activity.assigned(who, userName(store, to))
  return `${who}: ${whats.join(' · ')}`
}

function actorName(store: Store, { actor: { type, _id, name } }: Activity): string {
  if (type === 'system') return t.activity.system
  if (type === 'api') return t.thread.byKey(name ?? '')
  if (type === 'user') return userName(store, _id, name)
  return _id === null ? t.thread.customer : customerName(store, _id)
}

function userName({ users }: Store, id: unknown, name?: string | null): string {
  const user = users.value.find(({ _id }) => _id === id)
  return user ? nameOfUser(user) : (name ?? t.activity.former)
}

function customerName({ conversations }: Store, id: unknown): string {
  if (typeof id !== 'string') return t.activity.nobody
  const customer = conversations.customers.row(id).value
  return customer ? nameOfCustomer(customer) : t.thread.customer
}

function inboxName({ inboxes }: Store, id: unknown): string {
  return inboxes.value.find(({ _id }) => _id === id)?.name ?? t.activity.former
}

function assigneeAfter({ changes: { assignedTo } }: Activity): string | null {
  return typeof assignedTo?.to === 'string' ? assignedTo.to : null
}

function isBegunByTeam({ action, actor: { type } }: Activity): boolean {
  return action === 'created' && (type === 'user' || type === 'api')
}

/** Returns what one change says after the name of its actor. */
function whatsOf(store: Store, activity: Activity): string[] {
  const { action, changes } = activity
  const { fields } = t.activity
  const { status, priority, labels, subject, inboxId, customerId, snoozedUntil } = changes
  const to = assigneeAfter(activity)
  const assigned = to === null ? t.activity.unassigned : t.activity.assignedTo(userName(store, to))
  const both = (label: string, nameOf: (value: unknown) => string, both?: { from: unknown; to: unknown }) =>
    both ? [`${label}: ${nameOf(both.from)} → ${nameOf(both.to)}`] : []
  switch (action) {
    case 'created':
      return to === null ? [] : [assigned]
    case 'assigned':
      return [assigned]
    case 'status_changed':
      if (typeof snoozedUntil?.to === 'string') return [t.actions.snoozedUntil(momentTime(snoozedUntil.to))]
      return both(fields.status, (value) => wordOf(t.views, value), status)
    case 'priority_changed':
      return both(fields.priority, (value) => wordOf(t.list.filters, value), priority)
    case 'labels_changed':
      return [`${fields.labels}: ${labelChange(labels?.from, labels?.to)}`]
    case 'subject_changed':
      return both(fields.subject, (value) => `“${String(value)}”`, subject)
    case 'inbox_changed':
      return both(fields.inbox, (value) => inboxName(store, value), inboxId)
    case 'customer_changed':
      return both(fields.customer, (value) => customerName(store, value), customerId)
    case 'merged':
    case 'unmerged':
      return mergeWords(store, activity)
    default:
      // An action of a later version has no words here.
      return []
  }
}

/** The target shows the changes of its sources too: there the line of the target alone says it. */
function mergeWords(store: Store, { action, conversationId, changes }: Activity): string[] {
  const { merged, mergedInto, unmerged } = t.activity
  if (changes['mergedFrom']) return [action === 'merged' ? merged : unmerged]
  const own = store.conversations.rows.row(conversationId).value
  if (own === undefined || own.mergedInto !== null) return []
  return [action === 'merged' ? mergedInto : unmerged]
}

function wordOf(words: Readonly<Record<string, string>>, value: unknown): string {
  return words[String(value)] ?? String(value)
}

function labelChange(from: unknown, to: unknown): string {
  const [before, after] = [from, to].map((value) => (Array.isArray(value) ? value.map(String) : []))
  const added = after?.filter((label) => !before?.includes(label)).map((label) => `+${label}`) ?? []
  const removed = before?.filter((label) => !after?.includes(label)).map((label) => `−${label}`) ?? []
  return [...added, ...removed].join(', ')
}
