import type { Quotation } from '../../../src/mail/parse/quotations.ts'

/** The texts that the conversations of the replies hold already. */
export const knownThread = {
  texts: ['Is the lamp still broken?\n\nYour team', 'Is the lamp still broken?'].map((content) => ({
    messageId: null,
    parts: [{ content, contentType: 'text' }],
  })),
  addresses: ['help@acme.test'],
  names: ['Help', 'Ada'],
}

/** The words outside of quotations, without tags. */
export function ownWords(content: string, quotations: readonly Quotation[]): string {
  return quotations
    .toReversed()
    .reduce((own, { from, to }) => own.slice(0, from) + own.slice(to), content)
    .replace(/<[^>]*>/g, '')
    .trim()
}
