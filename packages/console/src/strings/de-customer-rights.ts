import type { customerRights } from './customer-rights.ts'
import type { Texts } from './texts.ts'

/** The texts of `customer-rights.ts` in German. */
export const deCustomerRights: Texts<typeof customerRights> = {
  export: {
    hint: 'Die Datei enthält den Kunden, seine Gespräche mit allen Nachrichten und Notizen, und seine Nachrichten in anderen Gesprächen.',
    json: 'Als JSON herunterladen',
    csv: 'Als CSV herunterladen, für eine Tabelle',
    done: 'Die Daten wurden heruntergeladen',
  },
  block: {
    hint: (email) =>
      `${email ? `E-Mails von ${email} werden gespeichert und nicht beachtet, und der` : 'Der'} Chat nimmt von dieser Person nichts Neues an. Sie bekommt keine automatische Antwort. Frühere Nachrichten bleiben, und Sie können ihr weiterhin schreiben. Anrufe sind nicht gesperrt.`,
    undo: 'Neue E-Mails und Chat-Nachrichten dieser Person kommen wieder an.',
    done: 'Der Absender ist gesperrt',
    undone: 'Der Absender ist nicht mehr gesperrt',
  },
  erase: {
    hint: (count) =>
      `Löscht den Kunden und ${count} mit allen Nachrichten, Notizen und Dateien. Das lässt sich nicht rückgängig machen, und kein Import bringt sie zurück.`,
    conversations: (count) => (count === '1' ? '1 Gespräch' : `${count} Gespräche`),
    confirm: (text) => `Zur Bestätigung „${text}“ eingeben`,
    submit: 'Endgültig löschen',
    done: 'Der Kunde wurde gelöscht',
  },
}
