import type { mentions, unsent } from './mentions.ts'
import type { Texts } from './texts.ts'

export const deMentions: Texts<typeof mentions> = {
  failed: 'Die Notizen konnten nicht geladen werden',
  none: 'Keine Notiz erwähnt Sie',
  noneHint:
    'Jemand aus dem Team erwähnt Sie in einer Notiz mit @ und Ihrem Namen. Sie erscheint hier von selbst.',
  unread: 'Ungelesen',
  read: 'Schon gelesen',
  by: (name) => `${name} hat Sie erwähnt`,
  byProgram: 'Ein Programm hat Sie erwähnt',
  deleted: 'Die Notiz ist gelöscht',
  older: 'Ältere zeigen',
}

export const deUnsent: Texts<typeof unsent> = {
  empty: ['Jede Antwort wurde gesendet', 'Eine Antwort, die nicht gesendet werden konnte, wartet hier.'],
  here: 'Nur dieser Browser hat sie',
  reasons: {
    REPLIED: 'Vor ihrer Zeit hat jemand geschrieben',
    RECIPIENT_CHANGED: 'Der Kunde oder eine Adresse hat sich geändert',
  },
  other: (code) => `Der Dienst hat sie nicht gesendet (${code})`,
}
