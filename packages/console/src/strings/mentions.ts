/* Texts of the notes that mention a person. */

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
