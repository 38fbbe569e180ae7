import type { Conversation, User } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { nameOfUser } from '../../store/names.ts'
import type { Store } from '../../store/store.ts'
import { ownUser } from '../../store/take-user.ts'
import { priorities } from '../../store/views.ts'
import { more } from '../../strings/more.ts'
import { t } from '../../strings/strings.ts'
import { momentTime } from '../../strings/times.ts'
import { Button } from '../../ui/button.tsx'
import { Chooser } from '../../ui/chooser.tsx'
import {
  type ChosenAvailability,
  moveToInbox,
  setAvailability,
  setCustomer,
  setLabels,
  setPriority,
  snooze,
} from './change-by-dialog.ts'
import { assign } from './change-conversation.ts'
import { CustomerChooser } from './customer-chooser.tsx'
import { midnight, snoozeTimes } from './snooze-times.ts'

export interface ChangeProps {
  readonly store: Store
  readonly conversation: Conversation
  readonly onClose: () => void
}

const nobody = 'nobody'

export function AssignContent({ store, conversation, onClose }: ChangeProps): JSX.Element {
  const others = store.users.value.filter(({ _id, isActive }) => isActive && _id !== store.me._id)
  const choices = [
    { id: store.me._id, text: t.actions.me(nameOfUser(store.me)) },
    { id: nobody, text: t.actions.nobody },
    ...others.map((user) => ({ id: user._id, text: listed(user) })),
  ].filter(({ id }) => id !== (conversation.assignedTo ?? nobody))
  return (
    <Chooser
      label={t.dialogs.filter}
      choices={choices}
      onChoose={(id) => {
        onClose()
        assign({ store, conversation }, id === nobody ? null : id)
      }}
    />
  )
}

/** A colleague in a list, with whether they are there. */
function listed(user: User): string {
  return more.availability.listed(nameOfUser(user), nameOfAvailability(user))
}

function nameOfAvailability({ availability }: User): string {
  return Reflect.get(more.availability.names, availability) ?? availability
}

export function PriorityContent({ store, conversation, onClose }: ChangeProps): JSX.Element {
  const choices = priorities
    .filter((priority) => priority !== conversation.priority)
    .map((id) => ({ id, text: t.list.filters[id] }))
  return (
    <Chooser
      label={t.dialogs.filter}
      choices={choices}
      onChoose={(id) => {
        onClose()
        const chosen = choices.find((choice) => choice.id === id)
        if (chosen) setPriority({ store, conversation }, chosen.id)
      }}
    />
  )
}

export function InboxContent({ store, conversation, onClose }: ChangeProps): JSX.Element {
  const choices = store.inboxes.value
    .filter(({ _id, isActive }) => isActive && _id !== conversation.inboxId)
    .map(({ _id, name }) => ({ id: _id, text: name }))
  return (
    <Chooser
      label={t.dialogs.filter}
      choices={choices}
      onChoose={(id) => {
        onClose()
        moveToInbox({ store, conversation }, id)
      }}
    />
  )
}

export function CustomerContent({ store, conversation, onClose }: ChangeProps): JSX.Element {
  return (
    <CustomerChooser
      store={store}
      onChoose={(chosen) => {
        onClose()
        void setCustomer({ store, conversation }, chosen)
      }}
    />
  )
}

/** All modes but the one that holds, which may still get an end. */
function availabilityChoices(mode: string) {
  const { names, automatic, untilMidnight } = more.availability
  const until = midnight(Date.now())
  const choice = (id: string, text: string, set: ChosenAvailability) => ({ id, text, set })
  return [
    choice('auto', automatic, { availability: null }),
    ...(['online', 'away', 'offline'] as const).map((id) => choice(id, names[id], { availability: id })),
    ...(['away', 'offline'] as const).map((id) =>
      choice(`${id}-midnight`, untilMidnight(names[id]), { availability: id, until }),
    ),
  ].filter(({ id }) => id !== mode)
}

export function AvailabilityContent({ store, onClose }: Omit<ChangeProps, 'conversation'>): JSX.Element {
  const me = ownUser(store)
  const until = me.availabilityUntil ? momentTime(me.availabilityUntil) : null
  const choices = availabilityChoices(me.availabilityMode)
  return (
    <>
      <p>{more.availability.hint(nameOfAvailability(me), until)}</p>
      <Chooser
        label={t.dialogs.filter}
        choices={choices}
        onChoose={(id) => {
          onClose()
          const chosen = choices.find((choice) => choice.id === id)
          if (chosen) setAvailability(store, chosen.set)
        }}
      />
    </>
  )
}

export function SnoozeContent({ store, conversation, onClose }: ChangeProps): JSX.Element {
  const times = snoozeTimes(Date.now())
  const choices = [
    ...(['inThreeHours', 'tomorrow', 'nextWeek'] as const).map((id) => ({
      id: times[id],
      text: `${t.dialogs[id]} (${momentTime(times[id])})`,
    })),
    { id: '', text: t.dialogs.untilReply },
  ]
  return (
    <Chooser
      label={t.dialogs.filter}
      choices={choices}
      onChoose={(id) => {
        onClose()
        snooze({ store, conversation }, id || null)
      }}
    />
  )
}

export function LabelContent({ store, conversation }: ChangeProps): JSX.Element {
  const { labels } = store.conversations.rows.row(conversation._id).value ?? conversation
  const known = store.conversations.knownLabels().filter((label) => !labels.includes(label))
  const change = (changed: readonly string[]) => setLabels({ store, conversation }, changed)
  return (
    <>
      <Chooser
        label={t.dialogs.addLabel}
        choices={known.map((label) => ({ id: label, text: label }))}
        onChoose={(label) => change([...labels, label])}
        onNew={(label) => change([...labels, label])}
      />
      <div class="chips">
        {labels.map((label) => (
          <Button key={label} isSmall onClick={() => change(labels.filter((other) => other !== label))}>
            {t.dialogs.removeLabel(label)}
          </Button>
        ))}
      </div>
    </>
  )
}
