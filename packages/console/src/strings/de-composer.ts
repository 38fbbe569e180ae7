import type { cannedReplies, format, plan } from './composer.ts'
import type { Texts } from './texts.ts'

export const deFormat: Texts<typeof format> = {
  label: 'Format',
  strong: 'Fett',
  em: 'Kursiv',
  a: 'Link',
  ul: 'Liste',
  code: 'Code',
  plain: 'Ohne Formate',
  signs: { strong: 'F', em: 'K', a: 'A' },
}

export const deCannedReplies: Texts<typeof cannedReplies> = {
  loading: 'Textbausteine werden geladen',
  failed: 'Die Textbausteine konnten nicht geladen werden.',
  none: 'Für diesen Posteingang gibt es noch keine Textbausteine. Hier ist der erste.',
  new: 'Neuer Textbaustein',
  change: 'Ändern oder löschen',
  which: 'Wählen Sie den Textbaustein, den Sie ändern oder löschen.',
  shortcut: 'Kürzel',
  shortcutHint: 'Kleine Buchstaben, Ziffern, - und _',
  title: 'Titel',
  content: 'Wortlaut',
  contentHint:
    '{{customer.firstName|zusammen}} wird zum Vornamen, oder zu „zusammen“, wenn er nicht bekannt ist.',
  isShared: 'Für das ganze Team',
  save: 'Speichern',
  saved: (shortcut) => `Gespeichert: /${shortcut}`,
  delete: 'Löschen',
  deleteNow: (isShared) => (isShared ? 'Für das ganze Team löschen' : 'Endgültig löschen'),
  deleted: (shortcut) => `Gelöscht: /${shortcut}`,
  missing: (names) => `Nichts bekannt für ${names}`,
}

export const dePlan: Texts<typeof plan> = {
  unlessReplied: 'Nicht senden, wenn der Kunde oder jemand vom Team vorher schreibt',
  submit: 'Antwort planen',
  empty: 'Schreiben Sie zuerst die Antwort, dann wählen Sie, wann sie gesendet wird.',
  already:
    'In diesem Gespräch ist schon eine Antwort von Ihnen geplant. Senden Sie sie zuerst, oder brechen Sie sie ab.',
  isNote: 'Eine Notiz sieht das Team sofort. Eine Antwort kann später gesendet werden.',
  past: 'Diese Zeit ist vorbei. Wählen Sie eine spätere.',
  failed: 'Die Antwort ist nicht geplant.',
  done: (time) => `Wird gesendet: ${time}`,
  inOneHour: 'In einer Stunde',
  tomorrow: 'Morgen um 9:00',
  monday: 'Montag um 9:00',
  ownTime: 'Andere Zeit',
  planned: (time) => `Von Ihnen geplant für ${time}`,
  plannedBy: (name, time) => `Entwurf von ${name}, geplant für ${time}`,
  cancel: 'Abbrechen',
  again: 'Andere Zeit wählen',
  stopped: {
    REPLIED: 'Ihre Antwort wurde nicht gesendet, weil vorher jemand geschrieben hat. Ihr Text steht unten.',
    RECIPIENT_CHANGED:
      'Ihre Antwort wurde nicht gesendet, weil sich der Kunde oder eine Adresse geändert hat. Prüfen Sie die Empfänger und senden Sie sie noch einmal.',
    AUTHOR_GONE:
      'Ihre Antwort wurde nicht gesendet, weil Ihre Rolle zu der Zeit nicht schreiben durfte. Ihr Text steht unten.',
    other: (code) => `Ihre Antwort wurde nicht zu ihrer Zeit gesendet (${code}). Ihr Text steht unten.`,
  },
  stoppedOf: {
    REPLIED: (name) =>
      `Nicht zu ihrer Zeit gesendet, weil vorher jemand geschrieben hat. ${name} oder Sie können sie senden.`,
    RECIPIENT_CHANGED: () =>
      'Nicht zu ihrer Zeit gesendet, weil sich der Kunde oder eine Adresse geändert hat.',
    AUTHOR_GONE: (name) =>
      `Nicht zu ihrer Zeit gesendet, weil ${name} nicht mehr schreiben darf. Sie können sie senden.`,
    other: (name, code) => `Die Antwort von ${name} wurde nicht zu ihrer Zeit gesendet (${code}).`,
  },
}
