import type { Inbox } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { putInbox } from '../../store/put-inbox.ts'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { lazy } from '../../ui/lazy.tsx'
import { DeleteButton, ProblemText, useSending } from '../../ui/sending.tsx'
import { InboxForm } from './inbox-form.tsx'
import { InboxMailForm } from './inbox-mail-form.tsx'
import { InboxWidgetForm } from './inbox-widget-form.tsx'
import { styles } from './settings-styles.ts'

interface InboxChangesProps {
  readonly store: Store
  readonly inbox: Inbox
  readonly onDeleted: () => void
}

/** It brings all texts of the chat along. */
const WidgetTextsForm = lazy('widget-texts', () =>
  import('./widget-texts-form.tsx').then((form) => form.WidgetTextsForm),
)

type Part = 'edit' | 'editMail' | 'editWidget' | 'editTexts'
const parts = ['edit', 'editMail', 'editWidget', 'editTexts'] as const satisfies Part[]

/** The changes of an inbox: each opens its form. */
export function InboxChanges({ store, inbox, onDeleted }: InboxChangesProps): JSX.Element {
  const [open, setOpen] = useState<Part>()
  const { isSending, problem, send } = useSending()
  const texts = more.inboxForms
  const { _id, name, isDefault } = inbox
  const { inboxes } = store.crm
  const close = () => setOpen(undefined)
  const makeDefault = async () => {
    await inboxes.update(_id, { isDefault: true })
    // The one that was the default has changed too.
    const { data } = await inboxes.list({ limit: 100 })
    for (const each of data) putInbox(store, each)
  }
  const remove = async () => {
    await inboxes.delete(_id)
    store.inboxes.value = store.inboxes.peek().filter((each) => each._id !== _id)
    onDeleted()
  }
  return (
    <>
      <p style={styles.actions}>
        {parts.map((part) => (
          <Button key={part} onClick={() => setOpen(part)}>
            {texts[part]}
          </Button>
        ))}
        {!isDefault && (
          <>
            <Button isDisabled={isSending} onClick={() => send(makeDefault, texts.madeDefault(name))}>
              {texts.makeDefault}
            </Button>
            <DeleteButton
              label={texts.delete}
              sure={texts.deleteNow}
              isDisabled={isSending}
              onDelete={() => send(remove, texts.deleted(name))}
            />
          </>
        )}
      </p>
      {isDefault && <p class="hint">{texts.isDefault}</p>}
      <ProblemText problem={problem} />
      {open && (
        <Dialog title={texts[open]} onClose={close}>
          {open === 'edit' && (
            <InboxForm
              store={store}
              inbox={inbox}
              submit={more.settings.save}
              onSubmit={async (values) => {
                putInbox(store, await inboxes.update(_id, values))
                close()
              }}
            />
          )}
          {open === 'editMail' && <InboxMailForm store={store} inbox={inbox} onSaved={close} />}
          {open === 'editTexts' && <WidgetTextsForm store={store} inbox={inbox} onSaved={close} />}
          {open === 'editWidget' && <InboxWidgetForm store={store} inbox={inbox} onSaved={close} />}
        </Dialog>
      )}
    </>
  )
}
