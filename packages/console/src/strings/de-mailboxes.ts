import type { mailboxes } from './mailboxes.ts'
import type { Texts } from './texts.ts'

/** The texts of `mailboxes.ts` in German. */
export const deMailboxes: Texts<typeof mailboxes> = {
  title: 'Postfächer',
  providers: { google: 'Google', microsoft: 'Microsoft' },
  noAddress: 'Noch keine Adresse: sie wird die, die sich anmeldet.',
  nobody:
    'Niemand ist angemeldet. Mit einer Anmeldung liest und sendet der Posteingang seine E-Mails bei Gmail oder Microsoft 365, ohne Passwort.',
  signIn: (provider) => `Bei ${provider} anmelden`,
  signedIn: (user, provider, time) => `Angemeldet als ${user} bei ${provider} seit ${time}.`,
  ended: (provider) =>
    `${provider} hat diese Anmeldung beendet, deshalb werden keine E-Mails gelesen oder gesendet. Melden Sie sich neu an.`,
  unused: 'Der Posteingang verwendet diese Anmeldung noch nicht.',
  use: 'Mit ihr lesen und senden',
  again: 'Neu anmelden',
  signOut: 'Anmeldung entfernen',
  waiting: (provider) => `Wartet, bis Sie bei ${provider} den Zugriff erlaubt haben.`,
  open: (provider) => `${provider} in einem neuen Tab öffnen`,
  cancel: 'Abbrechen',
  cancelled: 'Die Anmeldung wurde abgebrochen.',
  failed: 'Die Anmeldung ging nicht',
  denied: (provider) => `Bei ${provider} wurde der Zugriff nicht erlaubt. Nichts hat sich geändert.`,
  expired: 'Zehn Minuten sind ohne Erlaubnis vergangen. Beginnen Sie neu.',
  notConfigured: (provider) =>
    `Dieser Server hat keine App bei ${provider}. Sein Betreiber trägt die Client-Id ein: docs/email-providers.md sagt, wie.`,
  none: 'Keine Posteingänge hier',
}
