import type { labels } from './labels.ts'
import type { Texts } from './texts.ts'

/** The texts of `labels.ts` in German. */
export const deLabels: Texts<typeof labels> = {
  hint: 'Ein Etikett beginnt mit dem ersten Gespräch, das es bekommt, mit der Taste „l“ oder für viele auf einmal. Hier benennen Sie ein Etikett überall um oder entfernen es.',
  columns: ['Etikett', 'Gespräche', 'Aktionen'],
  none: 'Noch keine Etiketten',
  noneHint: 'Öffnen Sie ein Gespräch und drücken Sie „l“.',
  list: (count, label) => `${count} Gespräche mit ${label}`,
  change: (label) => `${label} ändern`,
  title: (label) => `Etikett: ${label}`,
  name: 'Name des Etiketts',
  renameHint: 'Gespeicherte Ansichten, die danach filtern, behalten den früheren Namen.',
  rename: 'Überall umbenennen',
  joins: (label, count) => `„${label}“ gibt es schon, in ${count} Gesprächen. Beide werden ein Etikett.`,
  removeHint: (count) => `Nimmt das Etikett von ${count} Gesprächen. Die Gespräche bleiben.`,
  remove: 'Etikett entfernen',
  removeNow: 'Überall entfernen',
  keepOpen: 'Lassen Sie diese Seite offen, bis es fertig ist.',
  stop: 'Hier anhalten',
}
