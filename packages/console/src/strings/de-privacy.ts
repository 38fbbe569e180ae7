import type { privacy } from './privacy.ts'
import type { Texts } from './texts.ts'

/** The texts of `privacy.ts` in German. */
export const dePrivacy: Texts<typeof privacy> = {
  hint: 'Anträge Ihres Teams zu den eigenen Daten. Jeder ist einen Monat nach dem Eingang fällig.',
  customersHint:
    'Die Daten eines Kunden laden Sie auf der Seite dieses Kunden herunter und löschen sie dort, unter „Daten“.',
  columns: ['Person', 'Antrag', 'Zustand', 'Gestellt', 'Fällig', 'Aktionen'],
  filter: 'Zustand der Anträge',
  all: 'Alle',
  none: 'Keine Anträge',
  noneHint: 'Eine Person stellt einen in den Einstellungen, unter „Ihre Daten“.',
  older: 'Weitere Anträge zeigen',
  open: (type, name) => `Öffnen: ${type}, ${name}`,
  overdue: (day) => `${day}: überfällig`,
  types: {
    deletion: 'Löschung',
    access: 'Auskunft',
    rectification: 'Berichtigung',
    restriction: 'Einschränkung',
    objection: 'Widerspruch',
  },
  states: {
    pending: 'Neu',
    processing: 'Genehmigt, in Arbeit',
    completed: 'Erledigt',
    rejected: 'Abgelehnt',
    cancelled: 'Zurückgezogen',
  },
  facts: {
    field: 'Feld',
    currentValue: 'Bisheriger Wert',
    requestedValue: 'Richtiger Wert',
    reason: 'Begründung',
    details: 'Weitere Worte',
    notes: 'Notizen des Teams',
    rejectionReason: 'Grund der Ablehnung',
  },
  approveHints: {
    deletion: (name) =>
      `${name} wird sofort abgemeldet und aus dem Team entfernt, und die Webhooks der Person enden. Entwürfe werden gelöscht, offene Gespräche sind niemandem zugewiesen. Nachrichten und Notizen bleiben ohne den Namen. Niemand kann das rückgängig machen.`,
    access: (name) =>
      `Genehmigen Sie ihn, um zu sagen, dass Sie daran arbeiten. ${name} bekommt von selbst keine Nachricht.`,
    rectification: (name) =>
      `Genehmigen Sie ihn, um zu sagen, dass Sie daran arbeiten. Die Daten von ${name} ändern sich erst, wenn jemand sie ändert.`,
    restriction: (name) =>
      `Solange sie gilt, wird ${name} kein Gespräch automatisch zugewiesen, Auswertungen lassen ${name} aus, und Ereignisse enthalten nur Kennungen. Sie können sie später aufheben.`,
    objection: (name) =>
      `Genehmigen Sie ihn, um zu sagen, dass Sie daran arbeiten. ${name} bekommt von selbst keine Nachricht.`,
  },
  self: 'Das ist Ihr eigener Antrag: Sie werden sofort abgemeldet.',
  onlyOwners: 'Nur ein Inhaber genehmigt die Löschung eines Inhabers.',
  erasing: 'Der Dienst löscht die Daten und erledigt den Antrag von selbst.',
  notesHint: 'Sie stehen beim Antrag und in der Kopie, die die Person herunterlädt.',
  confirm: (name) => `Zum Genehmigen „${name}“ eingeben`,
  approve: 'Genehmigen',
  approveErasure: 'Endgültig löschen',
  complete: 'Als erledigt markieren',
  lift: 'Einschränkung aufheben',
  reject: 'Diesen Antrag ablehnen',
  rejectNow: 'Ablehnen',
  rejectHint:
    'Ein abgelehnter Antrag lässt sich nicht wieder öffnen, aber die Person kann einen neuen stellen. Eine geltende Einschränkung endet.',
  decided: (type, state) => `${type} – ${state}`,
  own: {
    copy: 'Eine Kopie Ihrer Daten',
    copyHint:
      'Die Datei enthält Ihr Profil, Ihre Anmeldungen und alles, was Sie in diesem Team angelegt haben oder was Ihnen zugewiesen ist.',
    erasure: 'Löschung Ihrer Daten',
    erasureHint:
      'Ihre Admins entscheiden. Sobald einer genehmigt, werden Sie abgemeldet und aus dem Team entfernt, und niemand kann das rückgängig machen. Bis dahin können Sie den Antrag zurückziehen.',
    ask: 'Löschung beantragen',
    reason: 'Begründung (darf leer bleiben)',
    send: 'Antrag senden',
    sent: 'Ihr Antrag ging an die Admins Ihres Teams',
    waits: (asked, due) => `Sie haben sie am ${asked} beantragt. Ein Admin entscheidet bis ${due}.`,
    approved: 'Ein Admin hat sie genehmigt. Ihre Daten werden gelöscht.',
    rejected: (day, reason) => `Ihr Antrag vom ${day} wurde abgelehnt: ${reason}`,
    withdraw: 'Antrag zurückziehen',
    withdrawn: 'Ihr Antrag ist zurückgezogen',
    other: 'Ein anderer Antrag',
    otherHint:
      'Er geht an die Admins Ihres Teams, die einen Monat Zeit haben. Sie können ihn nicht zurücknehmen, aber ein Admin kann ihn ablehnen.',
    type: 'Art des Antrags',
    kinds: {
      access: 'Welche Daten von mir verwenden Sie, und wofür?',
      rectification: 'Etwas über mich ist falsch',
      restriction: 'Meine Daten speichern und nicht verwenden',
      objection: 'Ich widerspreche einer Verwendung meiner Daten',
    },
    field: 'Feld, das falsch ist',
    currentValue: 'Bisheriger Wert (darf leer bleiben)',
    requestedValue: 'Wert, der richtig ist',
    neededReason: 'Begründung',
    details: 'Weitere Worte (dürfen leer bleiben)',
  },
}
