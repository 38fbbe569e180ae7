/** The second argument of `.refine`: the rule's stable name and its sentence, for the 422's details. */
export function rule(name: string, message: string) {
  return { error: message, params: { rule: name } }
}
