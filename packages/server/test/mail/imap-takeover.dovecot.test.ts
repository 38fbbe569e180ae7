import { test } from 'vitest'
import { killMailboxHolder } from '../support/mailbox-takeover.ts'

test(
  'a mailbox is read by one process at a time, and when that is killed soon by another one, without a lost or a doubled mail [own.mail.imap.holder]',
  {
    timeout: 180_000,
  },
  () => killMailboxHolder({}),
)
