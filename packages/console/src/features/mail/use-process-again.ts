import type { InboundMail } from '@crmkit/sdk'
import { useEffect, useRef, useState } from 'preact/hooks'
import { processMailAgain } from '../../api/mails.ts'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { showToast } from '../../ui/toasts.tsx'
import { reasonOf } from './reasons.ts'

interface OneMail {
  readonly store: Store
  readonly mail: InboundMail
  readonly onChanged: (mail: InboundMail) => void
  readonly onDone: () => void
  readonly onMade: (conversationId: string) => void
}

/** The decision about a mail, in words. */
function outcomeOf({ status, reason }: InboundMail): string {
  if (status === 'processed') return more.mail.placed
  if (status === 'parked') return more.mail.stillParked(reasonOf(reason))
  return status === 'ignored' ? more.mail.ignored(reasonOf(reason)) : more.mail.takesLong
}

/** Processes the mail again. `happened` says what it did, while the mail is still shown. */
export function useProcessAgain({ store, mail, onChanged, onDone, onMade }: OneMail) {
  const [happened, setHappened] = useState('')
  const isShown = useRef(true)
  useEffect(
    () => () => {
      isShown.current = false
    },
    [],
  )
  const again = async () => {
    setHappened(more.mail.working)
    const decided = await processMailAgain(store.crm, mail._id).catch((error: unknown) => {
      setHappened('')
      throw error
    })
    const outcome = outcomeOf(decided)
    if (decided.status === 'parked' && isShown.current) {
      setHappened(outcome)
      onChanged(decided)
      return
    }
    showToast(outcome)
    // A person who has left the dialog meanwhile is led nowhere.
    if (!isShown.current) return
    if (decided.status === 'processed' && decided.conversationId) onMade(decided.conversationId)
    else onDone()
  }
  return { happened, again }
}
