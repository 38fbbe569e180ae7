import type { customers } from './customers.ts'
import type { Texts } from './texts.ts'

export const deCustomers: Texts<typeof customers> = {
  title: 'Kunden',
  count: (count) => (count === 1 ? '1 Kunde' : `${count} Kunden`),
  failed: 'Das hat nicht geklappt',
  none: 'Hier sind keine Kunden',
  noneHint:
    'Ändern Sie die Filter oben, oder schreiben Sie jemandem: Kunden erscheinen mit ihrer ersten Nachricht.',
  more: 'Mehr zeigen',
  choose: (name) => `${name} auswählen`,
  columns: ['Name', 'E-Mail', 'Firma', 'Servicestufe', 'Schlagwörter', 'Letzter Kontakt', 'Offene Gespräche'],
  further: 'Weitere Adressen',
  state: 'Zustand',
  states: { active: 'Aktiv', inactive: 'Nicht aktiv', archived: 'Archiviert' },
  noConversations: 'Noch keine Gespräche.',
  tabs: { conversations: 'Gespräche', notes: 'Notizen', activity: 'Verlauf', data: 'Daten' },
  changed: (value) =>
    value === ''
      ? 'Jemand hat dies inzwischen geleert.'
      : `Jemand hat dies inzwischen in „${value}“ geändert.`,
  keepMine: 'Meines speichern',
  takeTheirs: 'Das andere übernehmen',
  data: {
    id: 'Kennung',
    externalIds: 'Kennungen anderswo',
    created: 'Angelegt',
    changed: 'Geändert',
  },
  filter: {
    search: 'Suchen',
    tier: 'Servicestufe',
    anyTier: 'Jede Stufe',
    tag: 'Schlagwort',
    company: 'Firma',
    contact: 'Letzter Kontakt',
    contacts: {
      any: 'Zu jeder Zeit',
      week: 'In den letzten 7 Tagen',
      month: 'In den letzten 30 Tagen',
      silent: 'Nicht in den letzten 30 Tagen',
    },
    sort: 'Reihenfolge',
    sorts: {
      '-createdAt': 'Neueste zuerst',
      lastName: 'Nachname',
      '-lastContactAt': 'Letzter Kontakt zuerst',
      lastContactAt: 'Am längsten ohne Kontakt zuerst',
      '-updatedAt': 'Letzte Änderung zuerst',
    },
  },
  bulk: {
    label: 'Schlagwörter der ausgewählten Kunden',
    chosen: (count) => `${count} ausgewählt`,
    tag: 'Schlagwort',
    add: 'Schlagwort hinzufügen',
    remove: 'Schlagwort entfernen',
    clear: 'Niemanden auswählen',
    done: (changed, failed) => (failed ? `${changed} geändert, ${failed} nicht` : `${changed} geändert`),
  },
  notes: {
    label: 'Notiz schreiben: nur Ihr Team liest sie',
    add: 'Notiz hinzufügen',
    none: 'Noch keine Notizen.',
    change: 'Text der Notiz',
    edit: 'Bearbeiten',
    save: 'Speichern',
    cancel: 'Abbrechen',
    delete: 'Löschen',
  },
  happened: {
    created: 'Angelegt',
    wrote: 'Hat geschrieben',
    blocked: 'Gesperrt',
    merged: (name) => `${name} wurde mit diesem Kunden zusammengeführt`,
    formerAddress: (address) => `${address} gehört nicht mehr dazu`,
  },
}
