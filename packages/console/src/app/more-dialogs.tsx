import type { Conversation } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { NewConversationContent } from '../features/actions/new-conversation.tsx'
import { PlanContent } from '../features/actions/plan-content.tsx'
import { TeamContent } from '../features/sign-in/team-content.tsx'
import type { Store } from '../store/store.ts'
import { t } from '../strings/strings.ts'
import { Dialog } from '../ui/dialog.tsx'
import { navigate } from '../ui/navigation.ts'
import { conversationAddress } from './addresses.ts'
import type { OpenDialog } from './commands.ts'
import { session } from './running-console.ts'

interface MoreDialogsProps {
  readonly store: Store
  readonly conversation: Conversation | undefined
  readonly dialog: OpenDialog | undefined
  readonly onClose: () => void
}

/** The dialogs of the screen that are more than one choice about the open conversation. */
export function MoreDialogs({ store, conversation, dialog, onClose }: MoreDialogsProps): JSX.Element | null {
  if (dialog === 'plan' && conversation !== undefined)
    return (
      <Dialog title={t.plan.title} onClose={onClose}>
        <PlanContent store={store} conversation={conversation} onClose={onClose} />
      </Dialog>
    )
  if (dialog === 'team')
    return (
      <Dialog title={t.teams.title} onClose={onClose}>
        <TeamContent store={store} session={session} />
      </Dialog>
    )
  if (dialog === 'newConversation')
    return (
      <Dialog title={t.newConversation.title} onClose={onClose}>
        <NewConversationContent
          store={store}
          onClose={onClose}
          onMade={(id) => navigate(conversationAddress({ view: 'open' }, id))}
        />
      </Dialog>
    )
  return null
}
