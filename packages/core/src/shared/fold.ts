import { normalizeText } from './normalize.ts'

const domainLengthMax = 254
/** White space, which the platform drops from a URL, and characters that end or escape its host. */
const neverInHost = /[\s\u0000-\u001f"#%/:<>?@[\\\]^`{|}]/
const asciiOnly = /^[\u0000-\u007f]*$/
const ipAddress = /^\d{1,3}(?:\.\d{1,3}){3}$/
/** Marks that no reader sees, such as a zero-width space or a change of the direction. */
const invisibleMarks = /\p{Cf}/gu

/**
 * Returns a domain in the form in which the DNS and mail servers know it: `bücher.example` is `xn--bcher-kva.example`
 * (UTS 46, not transitional). Null for a domain beyond ASCII that the standard does not allow. A domain in ASCII stays as
 * it is, but for its case.
 */
export function asciiDomain(domain: string): string | null {
  if (asciiOnly.test(domain)) return domain.toLowerCase()
  if (domain.length > domainLengthMax || neverInHost.test(domain)) return null
  try {
    const { hostname } = new URL(`http://${domain}`)
    return ipAddress.test(hostname) ? null : hostname
  } catch {
    return null
  }
}

/** Returns the part before the last `@`, and the domain; undefined for a text without one. */
export function splitEmail(email: string): { local: string; domain: string } | undefined {
  const at = email.lastIndexOf('@')
  return at === -1 ? undefined : { local: email.slice(0, at), domain: email.slice(at + 1) }
}

/**
 * The form in which e-mails are compared, stored as keys and written to: in practice, case does not distinguish two
 * mailboxes. The domain is in ASCII, and the part before the `@` has no invisible marks.
 */
export function normalizeEmail(email: string): string {
  // Nearly every address: it has no marks and no other form, and each read of a customer asks for one.
  if (asciiOnly.test(email)) return email.toLowerCase()
  const folded = foldEmail(email)
  const parts = splitEmail(folded)
  if (parts === undefined) return folded
  const { local, domain } = parts
  return `${local.replace(invisibleMarks, '')}@${asciiDomain(domain) ?? domain}`
}

/** The form in which earlier versions compared e-mails: rows that they wrote have it until they are upgraded. */
export function foldEmail(email: string): string {
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
