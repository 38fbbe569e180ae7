/* Texts of the lists that stand in the place of conversations. */

export const mentions = {
  failed: 'The notes could not be loaded',
  none: 'No note mentions you',
  noneHint: 'A colleague mentions you in a note with @ and your name. It appears here by itself.',
  unread: 'Unread',
  read: 'Read before',
  by: (name: string) => `${name} mentioned you`,
  byProgram: 'A program mentioned you',
  deleted: 'The note is deleted',
  older: 'Show older ones',
} as const

export const unsent = {
  empty: ['Every reply was sent', 'A reply that could not be sent waits here.'],
  here: 'Only this browser has it',
  reasons: {
    REPLIED: 'Somebody has written before its time',
    RECIPIENT_CHANGED: 'The customer or an address has changed',
  },
  other: (code: string) => `The service has not sent it (${code})`,
} as const
