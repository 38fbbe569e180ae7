/* Texts of the composer and of its dialogs, for parts that are loaded later. */

export const format = {
  label: 'Format',
  strong: 'Bold',
  em: 'Italic',
  a: 'Link',
  ul: 'List',
  code: 'Code',
  plain: 'Without formats',
  signs: { strong: 'B', em: 'I', a: 'A' },
} as const

export const cannedReplies = {
  loading: 'Loading the canned replies',
  failed: 'The canned replies could not be loaded.',
  none: 'There are no canned replies for this inbox yet. Here is the first one.',
  new: 'New canned reply',
  change: 'Change or delete one',
  which: 'Choose the canned reply to change or to delete.',
  shortcut: 'Shortcut',
  shortcutHint: 'Small letters, digits, - and _',
  title: 'Title',
  content: 'Text',
  contentHint: '{{customer.firstName|there}} becomes the first name, or “there” when it is not known.',
  isShared: 'For the whole team',
  save: 'Save',
  saved: (shortcut: string) => `Saved: /${shortcut}`,
  delete: 'Delete',
  deleteNow: (isShared: boolean) => (isShared ? 'Delete for the whole team' : 'Delete for good'),
  deleted: (shortcut: string) => `Deleted: /${shortcut}`,
  missing: (names: string) => `Nothing is known for ${names}`,
} as const

export const plan = {
  unlessReplied: 'Do not send it when the customer or a colleague writes before',
  submit: 'Plan the reply',
  empty: 'Write the reply first, then choose when it is sent.',
  already: 'A reply of yours is planned in this conversation. Send it or cancel it first.',
  isNote: 'A note is for the team at once. A reply can be sent later.',
  past: 'This time is over. Choose a later one.',
  failed: 'The reply is not planned.',
  done: (time: string) => `Will be sent: ${time}`,
  inOneHour: 'In one hour',
  tomorrow: 'Tomorrow at 9:00',
  monday: 'Monday at 9:00',
  ownTime: 'Another time',
  planned: (time: string) => `Planned by you for ${time}`,
  plannedBy: (name: string, time: string) => `Draft of ${name}, planned for ${time}`,
  cancel: 'Cancel',
  again: 'Choose another time',
  stopped: {
    REPLIED: 'Your reply was not sent, because somebody has written before its time. Its text stands below.',
    RECIPIENT_CHANGED:
      'Your reply was not sent, because the customer or an address has changed since. Look at the recipients, then send it again.',
    AUTHOR_GONE:
      'Your reply was not sent, because your role could not write at its time. Its text stands below.',
    other: (code: string) => `Your reply was not sent at its time (${code}). Its text stands below.`,
  },
  stoppedOf: {
    REPLIED: (name: string) =>
      `Not sent at its time, because somebody has written before. ${name} or you may send it.`,
    RECIPIENT_CHANGED: () => 'Not sent at its time, because the customer or an address has changed since.',
    AUTHOR_GONE: (name: string) =>
      `Not sent at its time, because ${name} may not write any more. You may send it.`,
    other: (name: string, code: string) => `The reply of ${name} was not sent at its time (${code}).`,
  },
} as const
