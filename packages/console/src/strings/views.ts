/* Texts of the dialog of a saved view. */

export const views = {
  name: 'Name',
  isShared: 'For the whole team',
  hint: 'The view keeps the filter, the search and the order of the list, and stands in the menu.',
  sharedHint: 'A view that is not for the whole team is yours alone.',
  save: 'Save',
  saved: (name: string) => `Saved: ${name}`,
  delete: 'Delete',
  deleteNow: (isShared: boolean) => (isShared ? 'Delete for the whole team' : 'Delete for good'),
  deleted: (name: string) => `Deleted: ${name}`,
}
