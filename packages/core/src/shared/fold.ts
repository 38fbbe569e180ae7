import { normalizeText } from './normalize.ts'

/** The form in which e-mails are compared: in practice, case does not distinguish two mailboxes. */
export function normalizeEmail(email: string): string {
  return normalizeText(email, 'NFC').toLowerCase()
}

/** The form in which searches compare text: with accents, without case and width. */
export function foldCase(text: string): string {
  return normalizeText(text, 'NFKC').toLowerCase()
}

/** The form in which labels and tags are compared. */
export function foldLabel(label: string): string {
  return normalizeText(label.trim(), 'NFC').toLowerCase()
}
