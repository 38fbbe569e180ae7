import { foldLabel } from '@crmkit/core/vocabulary'

/** Returns the label by which lists find the customers of a company. No tag begins with a control character. */
export function companyLabel(company: string): string {
  return `\u0002${foldLabel(company)}`
}
