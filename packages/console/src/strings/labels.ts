/** The English texts of the labels of a team. */
export const labels = {
  hint: 'A label begins with the first conversation that gets it, by the key “l” or for many at once. Here you rename a label everywhere, or remove it.',
  columns: ['Label', 'Conversations', 'Actions'],
  none: 'No labels yet',
  noneHint: 'Open a conversation and press “l”.',
  list: (count: string, label: string) => `${count} conversations with ${label}`,
  change: (label: string) => `Change ${label}`,
  title: (label: string) => `Label: ${label}`,
  name: 'Name of the label',
  renameHint: 'Saved views that filter by it keep the former name.',
  rename: 'Rename everywhere',
  joins: (label: string, count: string) =>
    `“${label}” exists already, in ${count} conversations. Both become one label.`,
  removeHint: (count: string) => `Takes the label from ${count} conversations. The conversations stay.`,
  remove: 'Remove the label',
  removeNow: 'Remove it everywhere',
  keepOpen: 'Keep this page open until it is done.',
  stop: 'Stop here',
}
