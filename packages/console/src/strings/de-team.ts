import type { team } from './team.ts'
import type { Texts } from './texts.ts'

/** The texts of `team.ts` in German. */
export const deTeam: Texts<typeof team> = {
  name: 'Name des Teams',
  nameHint: 'Kunden lesen ihn im Chat Ihrer Website, und Ihre Leute in Einladungen und im Menü.',
  country: 'Land der Telefonnummern',
  noCountry: 'Keines',
  countryHint: 'Telefonnummern ohne Land werden als Nummern dieses Landes gelesen.',
  saved: 'Das Team ist geändert',
  usage: 'Verbrauch',
  usageColumns: ['Wovon', 'Verbraucht', 'Grenze'],
  unlimited: 'Keine Grenze',
  quotas: {
    customers: 'Kunden',
    conversations: 'Gespräche',
    messages: 'Nachrichten',
    users: 'Personen',
    inboxes: 'Posteingänge',
    attachmentBytes: 'Dateien von Nachrichten',
  },
  megabytes: (count) => `${count} Megabyte`,
  deletion: 'Der Betreiber Ihres Servers sperrt und löscht ein Team.',
  export: {
    title: 'Das ganze Team exportieren',
    hint: 'Eine Kopie von allem: Personen, Gespräche, Notizen, Anrufe und Dateien. Ein anderer Server importiert sie. Passwörter, Schlüssel und Verbindungen sind nicht darin.',
    withFiles: 'Mit den Dateien der Nachrichten',
    begin: 'Export erstellen',
    begun: 'Der Export wird erstellt',
    list: 'Exporte der letzten 30 Tage',
    columns: ['Verlangt', 'Datensätze', 'Zustand'],
    records: (count) => `${count}, mit Dateien`,
    states: {
      queued: 'Wartet',
      running: 'Wird erstellt',
      ready: 'Bereit',
      failed: 'Gescheitert:',
      expired: 'Gelöscht:',
    },
    download: 'Herunterladen',
    progress: (done, all) => `${done} von ${all} Dateien`,
    done: 'Heruntergeladen',
    missing: (count) => `Heruntergeladen ohne ${count} Dateien, die seit dem Export entfernt wurden`,
    tooLarge: 'Er ist zu groß für einen Browser. Der Befehl „crm tenant export“ lädt ihn herunter.',
  },
}
