/** How e-mails are compared: case never tells two mailboxes apart in practice. */
export function normalizeEmail(email: string): string {
  return email.normalize('NFC').toLowerCase()
}

/** How text is compared in searches: accents stay, case and width do not matter. */
export function foldCase(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}

/** How labels and tags are compared. */
export function foldLabel(label: string): string {
  return label.trim().normalize('NFC').toLowerCase()
}
