import type { Conversation } from '@crmkit/sdk'
import type { ComponentChildren, JSX } from 'preact'
import { nameOfUser } from '../../store/names.ts'
import type { Store } from '../../store/store.ts'
import { t } from '../../strings/strings.ts'
import { momentTime } from '../../strings/times.ts'
import { Button } from '../../ui/button.tsx'

/** Dialogs that change a property. */
export type PropertyDialog = 'assign' | 'priority' | 'inbox' | 'snooze'

interface PropertiesProps {
  readonly store: Store
  readonly conversation: Conversation
  readonly open: (dialog: PropertyDialog) => void
}

/** The line below the subject: the state of the conversation, who has it, and where it is. Properties that may be changed are buttons. */
export function Properties({ store, conversation, open }: PropertiesProps): JSX.Element {
  const { status, snoozedUntil, assignedTo, priority, inboxId } = conversation
  const assignee = store.users.value.find(({ _id }) => _id === assignedTo)
  const inbox = store.inboxes.value.find(({ _id }) => _id === inboxId)
  const isSnoozed = status === 'snoozed'
  const until =
    isSnoozed && snoozedUntil
      ? t.actions.snoozedUntil(momentTime(snoozedUntil))
      : (Reflect.get(t.views, status) ?? status)
  const property = (dialog: PropertyDialog, key: string, text: ComponentChildren) =>
    store.me.role === 'viewer' ? (
      <span dir="auto">{text}</span>
    ) : (
      <Button kind="plain" isSmall hint={`${t.actions[dialog]} (${key})`} onClick={() => open(dialog)}>
        <span class="thread-property" dir="auto">
          {text}
        </span>
      </Button>
    )
  return (
    <>
      {isSnoozed ? property('snooze', 's', until) : <span>{until}</span>}
      {property(
        'assign',
        'a',
        assignee ? t.actions.assigned(nameOfUser(assignee)) : t.actions.unassignedDone,
      )}
      {property(
        'priority',
        'y',
        `${t.actions.priority}: ${Reflect.get(t.list.filters, priority) ?? priority}`,
      )}
      {inbox && property('inbox', 'm', inbox.name)}
    </>
  )
}
