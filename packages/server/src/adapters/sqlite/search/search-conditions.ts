import type { SearchTerm } from '../../../storage/search-text.ts'
import type { SqlValue } from '../connection/sql.ts'
import type { Condition } from '../lists/list-query.ts'

/** Returns the conditions on rows of a full-text table, called `f`, that match an expression, within the tenant's range. */
export function inIndex(table: string, match: string): Condition[] {
  return [
    { sql: `${table} MATCH ?`, params: [match] },
    { sql: 'f.rowid BETWEEN @first AND @last', params: [] },
  ]
}

/** A term of one or two characters is found at the beginnings of words only, which SQLite's `instr` does not know. */
const isAnywhere = ({ length }: SearchTerm) => length >= 3

function hasTerm(text: string, { text: term, digits }: SearchTerm): Condition {
  const has = `instr(${text}, ?) > 0`
  if (digits === null) return { sql: has, params: [term] }
  return { sql: `(${has} OR ${has})`, params: [term, digits] }
}

/** Returns conditions on a folded text. They use SQLite's own `instr` where possible: a JavaScript function costs ten times as much. */
export function textHasTerms(column: string, terms: readonly SearchTerm[]): Condition[] {
  return terms.map((term) =>
    isAnywhere(term)
      ? hasTerm(column, term)
      : { sql: `matches_text(${column}, ?) = 1`, params: [JSON.stringify([term])] },
  )
}

/**
 * Returns conditions on the JSON of a message, whose content is not stored folded. To fold ASCII is to make it lower
 * case, which SQLite does itself; a text with other characters is longer in bytes than in characters.
 */
export function contentHasTerms(doc: string, terms: readonly SearchTerm[]): Condition[] {
  if (terms.length === 0) return []
  const found = terms.filter(isAnywhere).map((term) => hasTerm('lower(c.content)', term))
  const short = terms.filter((term) => !isAnywhere(term))
  const inJavaScript = (of: readonly SearchTerm[]): Condition => ({
    sql: `matches_content(${doc}, ?)`,
    params: [JSON.stringify(of)],
  })
  const ofAscii = short.length > 0 ? [...found, inJavaScript(short)] : found
  const ofOthers = inJavaScript(terms)
  const params: SqlValue[] = [...ofAscii.flatMap((condition) => condition.params), ...ofOthers.params]
  // The LIMIT keeps SQLite from reading the JSON anew at each place that names the content.
  return [
    {
      sql: `(SELECT CASE WHEN length(c.content) = octet_length(c.content)
          THEN ${ofAscii.map(({ sql }) => sql).join(' AND ')} ELSE ${ofOthers.sql} END
        FROM (SELECT ${doc} ->> '$.content' AS content LIMIT 1) AS c)`,
      params,
    },
  ]
}
