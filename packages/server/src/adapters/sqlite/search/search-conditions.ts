import type { SearchTerm } from '../../../storage/search-text.ts'
import type { Condition } from '../lists/list-query.ts'

/** Returns the conditions on rows of a full-text table, called `f`, that match an expression, within the tenant's range. */
export function inIndex(table: string, match: string): Condition[] {
  return [
    { sql: `${table} MATCH ?`, params: [match] },
    { sql: 'f.rowid BETWEEN @first AND @last', params: [] },
  ]
}

/** Returns conditions on a folded text. They use SQLite's own `instr` where possible: a JavaScript function costs ten times as much. */
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
