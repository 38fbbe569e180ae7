import { fillVariables, unknownVariables } from '../shared/text-variables.ts'

/** The values of a signature's variables; null is shown as nothing. */
export interface SignatureValues {
  'agent.firstName': string | null
  'agent.lastName': string | null
  'inbox.name': string | null
}

const names: readonly string[] = [
  'agent.firstName',
  'agent.lastName',
  'inbox.name',
] satisfies (keyof SignatureValues)[]

/** Returns the names between double braces that are no variables of a signature. */
export function unknownVariablesOf(signature: string): string[] {
  return unknownVariables(signature, names)
}

/** Fills the variables. `escapeValue` makes a value harmless in the text that it is put into. */
export function filledSignature(
  signature: string,
  values: SignatureValues,
  escapeValue: (value: string) => string,
): string {
  return fillVariables(signature, { ...values }, escapeValue).text
}
