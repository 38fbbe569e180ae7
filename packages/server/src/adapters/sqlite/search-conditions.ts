import type { SearchTerm } from '../../ports/search-text.ts'
import type { Condition } from './list-query.ts'

/** Terms in a stored folded text. SQLite's own `instr` where it suffices: a call back to JavaScript costs ten times as much. */
export function textHasTerms(column: string, terms: readonly SearchTerm[]): Condition[] {
  return terms.map((term) => {
    if (term.length < 3) {
      return { sql: `matches_text(${column}, ?) = 1`, params: [JSON.stringify([term])] }
    }
    const has = `instr(${column}, ?) > 0`
    if (term.digits === null) return { sql: has, params: [term.text] }
    return { sql: `(${has} OR ${has})`, params: [term.text, term.digits] }
  })
}
