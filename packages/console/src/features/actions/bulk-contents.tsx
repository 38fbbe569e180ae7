import type { JSX } from 'preact'
import { nameOfUser } from '../../store/names.ts'
import { chosenIn } from '../../store/selection.ts'
import type { Store } from '../../store/store.ts'
import { type ListName, priorities } from '../../store/views.ts'
import { t } from '../../strings/strings.ts'
import { momentTime } from '../../strings/times.ts'
import { Button } from '../../ui/button.tsx'
import { type Choice, Chooser } from '../../ui/chooser.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { changeMany, type ManyChange } from './change-many.ts'
import { snoozeTimes } from './snooze-times.ts'

export interface BulkProps {
  readonly store: Store
  /** The list whose chosen conversations change. */
  readonly list: ListName
  readonly onClose: () => void
}

/** One undo for all of them. */
async function run(store: Store, ids: readonly string[], change: ManyChange): Promise<void> {
  const { text, problem, undo } = await changeMany(store, ids, change)
  const takeBack = async () => {
    const undone = await undo?.()
    if (undone) showToast(undone.text, { reason: undone.problem })
  }
  showToast(text, {
    reason: problem,
    action: undo && { text: t.actions.undo, run: () => void takeBack() },
  })
}

type ManyChoice = Choice & { readonly change: ManyChange }

function ChangeChooser({
  store,
  list,
  onClose,
  choices,
}: BulkProps & { readonly choices: readonly ManyChoice[] }): JSX.Element {
  return (
    <Chooser
      label={t.dialogs.filter}
      choices={choices}
      onChoose={(id) => {
        onClose()
        const chosen = choices.find((choice) => choice.id === id)
        if (chosen) void run(store, chosenIn(store, list), chosen.change)
      }}
    />
  )
}

export function BulkStatusContent(props: BulkProps): JSX.Element {
  const times = snoozeTimes(Date.now())
  const snoozed = (id: string, text: string, snoozedUntil: string | null): ManyChoice => ({
    id,
    text: `${t.views.snoozed}: ${text}`,
    change: { set: { status: 'snoozed', snoozedUntil } },
  })
  const choices = [
    ...(['closed', 'open', 'pending'] as const).map((status) => ({
      id: status,
      text: t.views[status],
      change: { set: { status } },
    })),
    ...(['inThreeHours', 'tomorrow', 'nextWeek'] as const).map((id) =>
      snoozed(id, `${t.dialogs[id]} (${momentTime(times[id])})`, times[id]),
    ),
    snoozed('reply', t.dialogs.untilReply, null),
  ]
  return <ChangeChooser {...props} choices={choices} />
}

export function BulkAssignContent(props: BulkProps): JSX.Element {
  const { me, users } = props.store
  const others = users.value.filter(({ _id, isActive }) => isActive && _id !== me._id)
  const assigned = (id: string | null, text: string): ManyChoice => ({
    id: id ?? 'nobody',
    text,
    change: { set: { assignedTo: id } },
  })
  const choices = [
    assigned(me._id, t.actions.me(nameOfUser(me))),
    assigned(null, t.actions.nobody),
    ...others.map((user) => assigned(user._id, nameOfUser(user))),
  ]
  return <ChangeChooser {...props} choices={choices} />
}

export function BulkPriorityContent(props: BulkProps): JSX.Element {
  const choices = priorities.map((priority) => ({
    id: priority,
    text: t.list.filters[priority],
    change: { set: { priority } },
  }))
  return <ChangeChooser {...props} choices={choices} />
}

export function BulkInboxContent(props: BulkProps): JSX.Element {
  const choices = props.store.inboxes.value
    .filter(({ isActive }) => isActive)
    .map(({ _id, name }) => ({ id: _id, text: name, change: { set: { inboxId: _id } } }))
  return <ChangeChooser {...props} choices={choices} />
}

/** Adds a label to all of them, or removes one that some of them have. */
export function BulkLabelContent({ store, list, onClose }: BulkProps): JSX.Element {
  const ids = chosenIn(store, list)
  const own = new Set(ids.flatMap((id) => store.conversations.rows.peek(id)?.labels ?? []))
  const change = (body: ManyChange) => {
    onClose()
    void run(store, ids, body)
  }
  const add = (label: string) => change({ addLabels: [label] })
  return (
    <>
      <Chooser
        label={t.dialogs.addLabel}
        choices={store.conversations.knownLabels().map((label) => ({ id: label, text: label }))}
        onChoose={add}
        onNew={add}
      />
      <div class="chips">
        {[...own].map((label) => (
          <Button key={label} isSmall onClick={() => change({ removeLabels: [label] })}>
            {t.dialogs.removeLabel(label)}
          </Button>
        ))}
      </div>
    </>
  )
}
