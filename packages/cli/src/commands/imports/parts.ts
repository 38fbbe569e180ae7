/** The parts of a source by their name in the terminal, with the setting of each. */
export const parts = {
  contacts: 'importContacts',
  deals: 'importDeals',
  tickets: 'importTickets',
  notes: 'importNotes',
  activities: 'importActivities',
} as const
export type Part = keyof typeof parts
export const partNames = Object.keys(parts) as Part[]
