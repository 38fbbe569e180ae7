import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const conformancePath = 'docs/conformance.md'

const testFiles = 'packages/*/{src,test}/**/*.{test,contract}.ts'
/** After `it(`, `test.each([…])(`, `itWhen(…)(` and the like the title is the first argument; its end names rows. */
const provingTest =
  /(\.(?:skip|todo)\w*)?(?<!\.to\w+)\(\s*(['"`])(?<title>(?:(?!\2)[^\\\n])+) \[(?<rows>[\w.* ]+)\]\2,/g
const tableRow = /^\| `(?<id>[\w.]+)` \| (?<demand>(?:\\\||[^|])+) \|.*$/

interface Proof {
  readonly file: string
  readonly title: string
  /** An id of a row, or a pattern with `*` for several. */
  readonly rows: string
}

/** Tests whose titles name rows. Skipped tests prove nothing. */
function findProofs(root: string): Proof[] {
  const files = globSync(testFiles, { cwd: root }).sort()
  return files.flatMap((file) => {
    const found = [...readFileSync(join(root, file), 'utf8').matchAll(provingTest)]
    return found.flatMap(({ 1: skipped, groups = {} }) =>
      skipped === undefined
        ? (groups['rows'] ?? '').split(' ').map((rows) => ({ file, title: groups['title'] ?? '', rows }))
        : [],
    )
  })
}

function isAbout({ rows }: Proof, id: string): boolean {
  return new RegExp(`^${rows.replaceAll('.', '\\.').replaceAll('*', '\\w*')}$`).test(id)
}

/**
 * Writes the proofs into the last column of each table. The rows themselves are written by hand. Throws an error that lists every
 * row without a test, every test that names no row, and every id that occurs twice.
 */
export function renderConformance(root: string): string {
  const lines = readFileSync(join(root, conformancePath), 'utf8').split('\n')
  const proofs = findProofs(root)
  const ids = lines.flatMap((line) => tableRow.exec(line)?.groups?.['id'] ?? [])
  const problems = [
    ...ids
      .filter((id) => !proofs.some((proof) => isAbout(proof, id)))
      .map((id) => `${id}: no title of a test names it`),
    ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `${id} occurs twice`),
    ...proofs
      .filter((proof) => !ids.some((id) => isAbout(proof, id)))
      .map(({ rows, title, file }) => `${rows}: there is no such row, and “${title}” in ${file} names it`),
  ]
  if (problems.length > 0)
    throw new Error(`The rows of ${conformancePath} are wrong:\n  ${problems.join('\n  ')}`)
  return lines
    .map((line) =>
      line.replace(tableRow, (_line, id: string, demand: string) => {
        const links = proofs
          .filter((proof) => isAbout(proof, id))
          .map(({ file, title }) => `[${escaped(title)}](../${file})`)
        return `| \`${id}\` | ${demand} | ${links.join('<br>')} |`
      }),
    )
    .join('\n')
}

function escaped(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('[', '\\[').replaceAll(']', '\\]')
}
