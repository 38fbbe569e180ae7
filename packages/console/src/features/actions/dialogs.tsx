import type { Conversation } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { nameOfUser } from '../../store/names.ts'
import type { Store } from '../../store/store.ts'
import { t } from '../../strings/strings.ts'
import { exactTime } from '../../strings/times.ts'
import { Button } from '../../ui/button.tsx'
import { Chooser } from '../../ui/chooser.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import {
  assign,
  availabilities,
  moveToInbox,
  setAvailability,
  setCustomer,
  setLabels,
  snooze,
} from './change-conversation.ts'
import { CustomerChooser } from './customer-chooser.tsx'
import { snoozeTimes } from './snooze-times.ts'

interface ActionDialogProps {
  readonly store: Store
  readonly conversation: Conversation
  readonly onClose: () => void
}

const nobody = 'nobody'

export function AssignDialog({ store, conversation, onClose }: ActionDialogProps): JSX.Element {
  const others = store.users.value.filter(({ _id, isActive }) => isActive && _id !== store.me._id)
  const choices = [
    { id: store.me._id, text: t.actions.me(nameOfUser(store.me)) },
    { id: nobody, text: t.actions.nobody },
    ...others.map((user) => ({ id: user._id, text: nameOfUser(user) })),
  ].filter(({ id }) => id !== (conversation.assignedTo ?? nobody))
  return (
    <Dialog title={t.dialogs.assign} onClose={onClose}>
      <Chooser
        label={t.dialogs.filter}
        choices={choices}
        onChoose={(id) => {
          onClose()
          assign({ store, conversation }, id === nobody ? null : id)
        }}
      />
    </Dialog>
  )
}

export function InboxDialog({ store, conversation, onClose }: ActionDialogProps): JSX.Element {
  const choices = store.inboxes.value
    .filter(({ _id, isActive }) => isActive && _id !== conversation.inboxId)
    .map(({ _id, name }) => ({ id: _id, text: name }))
  return (
    <Dialog title={t.actions.inbox} onClose={onClose}>
      <Chooser
        label={t.dialogs.filter}
        choices={choices}
        onChoose={(id) => {
          onClose()
          moveToInbox({ store, conversation }, id)
        }}
      />
    </Dialog>
  )
}

export function CustomerDialog({ store, conversation, onClose }: ActionDialogProps): JSX.Element {
  return (
    <Dialog title={t.actions.customer} onClose={onClose}>
      <CustomerChooser
        store={store}
        onChoose={(chosen) => {
          onClose()
          setCustomer({ store, conversation }, chosen)
        }}
      />
    </Dialog>
  )
}

export function AvailabilityDialog({ store, onClose }: Omit<ActionDialogProps, 'conversation'>): JSX.Element {
  const me = store.users.value.find(({ _id }) => _id === store.me._id) ?? store.me
  const choices = availabilities
    .filter((availability) => availability !== me.availability)
    .map((id) => ({ id, text: t.availability.names[id] }))
  return (
    <Dialog title={t.availability.title} onClose={onClose}>
      <p>{t.availability.hint(Reflect.get(t.availability.names, me.availability) ?? me.availability)}</p>
      <Chooser
        label={t.dialogs.filter}
        choices={choices}
        onChoose={(id) => {
          onClose()
          const chosen = choices.find((choice) => choice.id === id)
          if (chosen) setAvailability(store, chosen.id)
        }}
      />
    </Dialog>
  )
}

export function SnoozeDialog({ store, conversation, onClose }: ActionDialogProps): JSX.Element {
  const times = snoozeTimes(Date.now())
  const choices = [
    ...(['inThreeHours', 'tomorrow', 'nextWeek'] as const).map((id) => ({
      id: times[id],
      text: `${t.dialogs[id]} (${exactTime(times[id])})`,
    })),
    { id: '', text: t.dialogs.untilReply },
  ]
  return (
    <Dialog title={t.dialogs.snooze} onClose={onClose}>
      <Chooser
        label={t.dialogs.filter}
        choices={choices}
        onChoose={(id) => {
          onClose()
          snooze({ store, conversation }, id || null)
        }}
      />
    </Dialog>
  )
}

export function LabelDialog({ store, conversation, onClose }: ActionDialogProps): JSX.Element {
  const { labels } = store.conversations.rows.row(conversation._id).value ?? conversation
  const change = (changed: readonly string[]) => setLabels({ store, conversation }, changed)
  return (
    <Dialog title={t.dialogs.labels} onClose={onClose}>
      <Chooser
        label={t.dialogs.addLabel}
        choices={[]}
        onChoose={() => undefined}
        onNew={(label) => change([...labels, label])}
      />
      <div class="chips">
        {labels.map((label) => (
          <Button key={label} isSmall onClick={() => change(labels.filter((other) => other !== label))}>
            {t.dialogs.removeLabel(label)}
          </Button>
        ))}
      </div>
    </Dialog>
  )
}
