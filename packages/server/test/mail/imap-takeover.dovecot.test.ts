import { test } from 'vitest'
import { killMailboxHolder } from '../support/mailbox-takeover.ts'

test(
  'a mailbox whose process is killed is read on by the next one, without a lost or a doubled mail [own.mail.imap.holder]',
  {
    timeout: 180_000,
  },
  () => killMailboxHolder({}, { isBeside: false }),
)
