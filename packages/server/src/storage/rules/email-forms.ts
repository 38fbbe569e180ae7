import { domainToUnicode } from 'node:url'
import { foldEmail, normalizeEmail, splitEmail } from '@crmkit/core/vocabulary'

/**
 * Returns the keys under which rows with an e-mail may be stored, its normal form first. Earlier versions stored the domain as
 * it was written; such a row keeps its key until it is upgraded, and for good where another row has the normal form.
 */
export function emailForms(email: string): string[] {
  const normal = normalizeEmail(email)
  return [...new Set([normal, foldEmail(email), ...inLetters(normal)])]
}

function inLetters(normal: string): string[] {
  const { local, domain } = splitEmail(normal) ?? { local: '', domain: '' }
  // No other name has letters beyond ASCII.
  return domain.includes('xn--') ? [foldEmail(`${local}@${domainToUnicode(domain)}`)] : []
}
