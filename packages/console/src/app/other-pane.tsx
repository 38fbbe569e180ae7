import type { JSX } from 'preact'
import { UnsentPane } from '../features/inbox/unsent-list.tsx'
import { MailPane } from '../features/mail/mail-pane.tsx'
import type { Store } from '../store/store.ts'
import { navigate } from '../ui/navigation.ts'
import { conversationAddress, type InboxPlace } from './addresses.ts'

interface OtherPaneProps {
  readonly store: Store
  readonly other: InboxPlace['other']
  readonly chosenId: string | undefined
  readonly addressOf: (conversationId: string) => string
  readonly onMenu: () => void
}

/** The pane in the place of a list of conversations. */
export function OtherPane({ other, ...props }: OtherPaneProps): JSX.Element {
  return other === 'mail' ? (
    <MailPane {...props} onMade={(id) => navigate(conversationAddress({ view: 'open' }, id))} />
  ) : (
    <UnsentPane {...props} />
  )
}
