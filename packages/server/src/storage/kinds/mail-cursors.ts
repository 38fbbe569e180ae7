import { defineKind } from './define-kind.ts'
import { because, moment, number, tenantRow, text, times } from './fields.ts'

/** The progress of reading the mailbox of an inbox, which has the id of the inbox. */
export const mailCursors = defineKind('mailCursors', {
  idPrefix: null,
  fields: {
    ...tenantRow,
    /** SHA-256 of host, user, folder and start: another mailbox is read from its own start. */
    mailbox: because('a hash of the address of a mailbox', text('internal')),
    /** A decimal number; when the server changes it, its UIDs mean other mails. */
    uidValidity: because('a number that a mail server gives', text('internal')),
    /** The last UID that needs nothing more. */
    uid: number('internal'),
    /** Mail up to `oldUid` that arrived before this moment is not read, also when the UIDs change. */
    startsAt: moment('internal'),
    /** The last UID of the mails that were there when the reading began. */
    oldUid: number('internal'),
    ...times,
  },
  erasure: { rows: 'kept' },
  quota: { unlimited: 'an inbox has one' },
  retention: 'permanent',
})
