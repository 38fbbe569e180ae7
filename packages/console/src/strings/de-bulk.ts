import type { bulk } from './bulk.ts'
import type { Texts } from './texts.ts'

/** The texts of `bulk.ts` in German. */
export const deBulk: Texts<typeof bulk> = {
  label: 'Ausgewählte Gespräche ändern',
  chosen: (count) => `${count.toLocaleString('de')} ausgewählt`,
  all: (count) => `Alle ${count} auswählen`,
  clear: 'Auswahl aufheben',
  inbox: 'Posteingang',
  progress: (done, total) => `${done.toLocaleString('de')} von ${total.toLocaleString('de')} sind erledigt`,
  done: (changed, failed) =>
    failed
      ? `${changed.toLocaleString('de')} geändert, ${failed.toLocaleString('de')} nicht`
      : `${changed.toLocaleString('de')} geändert`,
  partlyUndone: (failed) =>
    `Wie zuvor, bis auf ${failed.toLocaleString('de')}, die seitdem jemand geändert hat`,
}
