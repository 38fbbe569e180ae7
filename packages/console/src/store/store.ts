import type { Inbox, LiveEvent, LogEvent, Mention, Session, User, View } from '@crmkit/sdk'
import { type Signal, signal } from '@preact/signals'
import type { Crm } from '../api/crm.ts'
import { readViews } from '../api/views.ts'
import { Activities } from './activities.ts'
import { applyEvent, type MessageOfEvent } from './apply-event.ts'
import { applyLive, type ChangedNotes, type Counts } from './apply-live.ts'
import { Conversations } from './conversations.ts'
import { isEmpty } from './draft.ts'
import { Drafts } from './drafts.ts'
import { Lists } from './lists.ts'
import { Looks } from './looks.ts'
import { Outgoing } from './outgoing.ts'
import { PresenceStore } from './presence.ts'
import { Recipients } from './recipients.ts'
import { Selection } from './selection.ts'
import { Threads } from './threads.ts'

/** Everything that the screens of one signed-in person show. */
export interface Store {
  readonly crm: Crm
  readonly me: User
  readonly tenantName: Signal<string>
  readonly users: Signal<readonly User[]>
  readonly inboxes: Signal<readonly Inbox[]>
  /** The saved views of the team and one's own; undefined until they are read. */
  readonly savedViews: Signal<readonly View[] | undefined>
  readonly conversations: Conversations
  readonly lists: Lists
  readonly selection: Selection
  readonly threads: Threads
  readonly activities: Activities
  readonly drafts: Drafts
  readonly outgoing: Outgoing
  readonly presence: PresenceStore
  readonly recipients: Recipients
  readonly looks: Looks
  /** Kept by live events; empty until the first one. */
  readonly counts: Signal<Counts>
  /** The latest message of a customer that came while this tab was open. */
  readonly arrived: Signal<MessageOfEvent | undefined>
  /** The latest note that mentions this person, of those that came while this tab was open. */
  readonly mentioned: Signal<Mention | undefined>
  readonly changedNotes: Signal<ChangedNotes>
  /** The latest event of the log, for parts that are loaded later; without a type, events may be missing. */
  readonly heard: Signal<{ readonly event?: string }>
  /** Reads the colleagues, the inboxes and the saved views. */
  loadPeople(): Promise<void>
  loadViews(): Promise<void>
  apply(event: LogEvent): void
  applyLive(event: LiveEvent): void
}

async function readUsers(crm: Crm, users: Store['users']): Promise<void> {
  users.value = await crm.users.list({ limit: 100 }).toArray()
}

export function createStore(crm: Crm, { user: me, tenant }: Pick<Session, 'user' | 'tenant'>): Store {
  const users = signal<readonly User[]>([me])
  const inboxes = signal<readonly Inbox[]>([])
  const savedViews: Store['savedViews'] = signal(undefined)
  const heard: Store['heard'] = signal({})
  const arrived = signal<MessageOfEvent | undefined>(undefined)
  const mentioned = signal<Mention | undefined>(undefined)
  const conversations = new Conversations(
    crm,
    (conversation) => lists.place(conversation),
    (id) => {
      lists.remove(id)
      looks.end(id)
    },
  )
  const lists: Lists = new Lists({
    crm,
    rows: conversations.rows,
    myId: me._id,
    take: (conversation) => conversations.take(conversation),
  })
  const drafts = new Drafts(crm, me._id)
  const threads = new Threads({
    crm,
    myId: me._id,
    releaseFiles: (conversationId, message) => drafts.release(conversationId, message),
  })
  const presence = new PresenceStore(crm, me._id)
  const outgoing = new Outgoing({ crm, drafts, threads })
  const recipients = new Recipients({
    crm,
    conversations,
    shown: outgoing.shown,
    isBegun: (conversationId) => !isEmpty(drafts.state(conversationId).peek().draft),
  })
  const canWrite = me.role !== 'viewer'
  const activities = new Activities(crm)
  const looks: Looks = new Looks({ crm, conversations, threads, activities, drafts, recipients, canWrite })
  const counts = signal<Counts>({})
  const changedNotes = signal<ChangedNotes>(undefined)
  const loadUsers = () => readUsers(crm, users)
  const loadViews = async () => {
    savedViews.value = (await readViews(crm)).sort((a, b) => a.name.localeCompare(b.name))
  }
  return {
    crm,
    me,
    tenantName: signal(tenant.name),
    users,
    inboxes,
    savedViews,
    conversations,
    lists,
    selection: new Selection(),
    threads,
    activities,
    drafts,
    outgoing,
    presence,
    recipients,
    looks,
    counts,
    arrived,
    mentioned,
    changedNotes,
    heard,
    loadViews,
    async loadPeople() {
      const [, page] = await Promise.all([loadUsers(), crm.inboxes.list({ limit: 100 })])
      inboxes.value = page.data
      // No list waits for them but one that is opened by its address.
      void loadViews().catch(() => undefined)
    },
    apply(event) {
      heard.value = event
      if (event.event === 'conversation.updated') looks.changed(event.data._id, event.changes)
      if (event.event === 'conversation.merged' || event.event === 'conversation.unmerged')
        looks.merged(event.data._id)
      applyEvent(event, {
        conversations,
        threads,
        myId: me._id,
        onMessage: (message) => {
          arrived.value = message
        },
        onMention: (mention) => {
          mentioned.value = mention
        },
        onUserChanged: () => void loadUsers().catch(() => undefined),
      })
    },
    applyLive: (event) => applyLive(event, { conversations, counts, presence, drafts, users, changedNotes }),
  }
}
