import type { JSX } from 'preact'
import { readable } from '../../store/mentions.ts'
import type { Store } from '../../store/store.ts'
import { t } from '../../strings/strings.ts'
import { IconButton } from '../../ui/button.tsx'
import { Empty } from '../../ui/states.tsx'

interface GoneProps {
  readonly store: Store
  readonly conversationId: string
  readonly onBack: () => void
}

/** In place of a conversation that does not exist any more. The text of this person for it stays to be copied. */
export function Gone({ store, conversationId, onBack }: GoneProps): JSX.Element {
  const { draft } = store.drafts.state(conversationId).value
  const { pending } = store.threads.open(conversationId).value
  const texts = [...pending, draft].map((one) => readable(one, store.users.value)).filter(Boolean)
  return (
    <section class="thread-pane" aria-label={t.thread.notFound}>
      <header class="thread-head">
        <IconButton class="thread-back" icon="back" label={t.thread.back} onClick={onBack} />
      </header>
      <div role="alert">
        <Empty title={t.thread.notFound} hint={t.thread.notFoundHint} />
      </div>
      {texts.length > 0 && (
        <label class="composer">
          {t.thread.written}
          <textarea readOnly dir="auto" value={texts.join('\n\n')} />
        </label>
      )}
    </section>
  )
}
