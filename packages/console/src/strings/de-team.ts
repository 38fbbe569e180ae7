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
  deletion:
    'Ein ganzes Team exportiert ein Inhaber mit dem Befehl „crm tenant export“. Der Betreiber Ihres Servers sperrt und löscht es.',
}
