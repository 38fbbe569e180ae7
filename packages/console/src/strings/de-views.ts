import type { Texts } from './texts.ts'
import type { views } from './views.ts'

export const deViews: Texts<typeof views> = {
  name: 'Name',
  isShared: 'Für das ganze Team',
  hint: 'Die Ansicht behält Filter, Suche und Reihenfolge der Liste und steht im Menü.',
  sharedHint: 'Eine Ansicht, die nicht für das ganze Team ist, gehört Ihnen allein.',
  save: 'Speichern',
  saved: (name) => `Gespeichert: ${name}`,
  delete: 'Löschen',
  deleteNow: (isShared) => (isShared ? 'Für das ganze Team löschen' : 'Endgültig löschen'),
  deleted: (name) => `Gelöscht: ${name}`,
}
