import { faultsOf, type Problem } from '../../api/problem.ts'
import { t } from '../../strings/strings.ts'

export const recipientKinds = ['to', 'cc', 'bcc'] as const
export type RecipientKind = (typeof recipientKinds)[number]

/** The faults that the service finds in the recipients of one kind. */
export function faultTexts(refusal: Problem | undefined, kind: RecipientKind): string[] {
  return faultsOf(refusal, kind).map((fault) => t.recipients.fault(t.recipients.fields[kind], fault))
}
