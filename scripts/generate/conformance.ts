import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { access, errors } from '../conformance/access.ts'
import { servedEndpoints } from '../conformance/endpoints.ts'
import { deliveryRules, eventTypes } from '../conformance/events.ts'
import { laterEndpoints } from '../conformance/later-endpoints.ts'
import { limitRows, versions } from '../conformance/limits.ts'
import { ownRules } from '../conformance/own-rules.ts'
import { resources, states } from '../conformance/resources.ts'
import type { Proof, Row, Table } from '../conformance/row.ts'

export const conformancePath = 'docs/conformance.md'

const tables: readonly Table[] = [
  resources,
  states,
  ...servedEndpoints,
  ...laterEndpoints,
  access,
  eventTypes,
  deliveryRules,
  errors,
  limitRows,
  versions,
]

const notYet = '**not yet**'

/** Throws an error that lists every named test that does not exist and every id that occurs twice. */
export function renderConformance(root: string): string {
  const rows = tables.flatMap((table) => table.rows)
  const named = [...rows, ...ownRules.rows]
  const problems = [...named.flatMap((row) => missingProofs(root, row)), ...repeatedIds(named)]
  if (problems.length > 0) throw new Error(`The conformance rows are wrong:\n${problems.join('\n')}`)
  const proven = rows.filter(({ proofs }) => proofs.length > 0).length
  return `<!-- Made by \`npm run generate\` from scripts/conformance/. -->
# Conformance: each demand of the specification with the test that proves it

**${proven} of ${rows.length} rows are proven.**

${ownRules.rows.length} further rules are this service's own.

Each row is a line of the interface specification's tables, in our own words. It names the tests that fail when it is
broken; \`npm run check\` fails when one of them is deleted or renamed. Tests under \`packages/server/test/http\` and
\`…/isolation\` ask a whole server over HTTP, on SQLite, and on MongoDB, BullMQ and Redis as [testing.md](testing.md) says.

${[...tables, ownRules].map(renderTable).join('\n\n')}
`
}

function renderTable({ title, rows }: Table): string {
  const lines = rows.map((row) => `| \`${row.id}\` | ${escaped(row.text)} | ${renderProofs(row)} |`)
  return [`## ${title}`, '', '| row | demand | proof |', '|---|---|---|', ...lines].join('\n')
}

function renderProofs({ proofs }: Row): string {
  if (proofs.length === 0) return notYet
  return proofs.map(({ file, title }) => `[${escaped(title)}](../${file})`).join('<br>')
}

function escaped(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('[', '\\[').replaceAll(']', '\\]')
}

function missingProofs(root: string, { id, proofs }: Row): string[] {
  return proofs
    .filter((proof) => !isThere(root, proof))
    .map(({ file, title }) => `  ${id}: no test “${title}” runs in ${file}`)
}

const sources = new Map<string, string>()

/** Whether the file declares a test, or a table of tests, of this title. Skipped tests prove nothing. */
function isThere(root: string, { file, title }: Proof): boolean {
  const path = join(root, file)
  const source = sources.get(path) ?? (existsSync(path) ? readFileSync(path, 'utf8') : '')
  sources.set(path, source)
  const quoted = title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  // After `it(`, `test.each([…])(`, `itWhen(…)(` and the like the title is the first argument.
  const declared = new RegExp(`\\(\\s*(['"\`])${quoted}\\1,`)
  const skipped = new RegExp(`\\.(?:skip|todo)\\w*\\(\\s*(['"\`])${quoted}\\1,`)
  return declared.test(source) && !skipped.test(source)
}

function repeatedIds(rows: readonly Row[]): string[] {
  const ids = rows.map(({ id }) => id)
  return ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `  ${id} occurs twice`)
}
