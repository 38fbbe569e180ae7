import { type Inbox, noReplyByMail } from '@crmkit/core'
import type { InboxRecord } from '../storage/kinds/inboxes.ts'

/** Returns the settings of an inbox for mail to its visitors. Rows of earlier versions have none. */
export function mailSettingsOf({
  widget,
}: Pick<InboxRecord, 'widget'>): Pick<Inbox['widget'], 'askEmail' | 'replyByMail'> {
  const { askEmail = false, replyByMail = noReplyByMail }: Partial<Inbox['widget']> = widget
  return { askEmail, replyByMail }
}
