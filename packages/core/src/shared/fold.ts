import { normalizeText } from './normalize.ts'

/** How e-mails are compared: case never tells two mailboxes apart in practice. */
export function normalizeEmail(email: string): string {
  return normalizeText(email, 'NFC').toLowerCase()
}

/** How text is compared in searches: accents stay, case and width do not matter. */
export function foldCase(text: string): string {
  return normalizeText(text, 'NFKC').toLowerCase()
}

/** How labels and tags are compared. */
export function foldLabel(label: string): string {
  return normalizeText(label.trim(), 'NFC').toLowerCase()
}
