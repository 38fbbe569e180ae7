// `npm run new -- kind NAME FIELD…`, `npm run new -- operation AREA.NAME`, `npm run new -- migration KIND`: makes the
// files that a new kind or operation needs, registered everywhere, with a test that fails until a person writes it.
import { parseArgs } from 'node:util'
import { editsOf, save } from './new/edits.ts'
import { fieldOf, namesOf } from './new/names.ts'
import { addKind, leftToDoOfKind } from './new/new-kind.ts'
import { addOperation } from './new/new-operation.ts'
import { execute } from './run-steps.ts'

const usage = `Usage:
  npm run new -- kind cannedReplies title:text body:text [--prefix=rep]
  npm run new -- operation cannedReplies.list
  npm run new -- migration cannedReplies
`

const root = process.cwd()
const { positionals, values } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: { prefix: { type: 'string' } },
})
const [what, name = '', ...rest] = positionals

/** Formats the written files, and prints the remaining steps. */
async function finish(edits: ReturnType<typeof editsOf>, left: readonly string[]): Promise<number> {
  save(root, edits)
  const files = [...edits.written.keys()]
  const sources = files.filter((file) => file.endsWith('.ts'))
  // `npm run lint` reports problems that the formatter cannot fix.
  if (sources.length > 0)
    await execute('biome', ['check', '--write', '--unsafe', '--log-level=none', ...sources])
  for (const file of files) process.stdout.write(`wrote ${file}\n`)
  for (const line of left) process.stdout.write(`left to do: ${line}\n`)
  return 0
}

async function makeKind(): Promise<number> {
  const names = namesOf(name)
  const edits = editsOf(root)
  const fields = rest.map(fieldOf)
  if (fields.length === 0) throw new Error(`Name its fields.\n${usage}`)
  addKind(edits, { names, fields, prefix: values.prefix ?? names.singular.slice(0, 3).toLowerCase() })
  await finish(edits, [])
  // In another process, because this one has already read the list of kinds.
  const code = await execute('node', ['--conditions=@crmkit/source', 'scripts/new.ts', 'migration', name])
  for (const line of leftToDoOfKind(names)) process.stdout.write(`left to do: ${line}\n`)
  return code
}

async function makeOperation(): Promise<number> {
  const edits = editsOf(root)
  const left = addOperation(edits, name)
  await finish(edits, [...left, 'npm run generate, npm run check'])
  return 0
}

async function makeMigration(): Promise<number> {
  // Loaded only here: a half-made operation must not prevent the next one from being made.
  const { addMigration } = await import('./new/new-migration.ts')
  const edits = editsOf(root)
  return finish(edits, addMigration(edits, name))
}

const makers: Readonly<Record<string, () => Promise<number>>> = {
  kind: makeKind,
  operation: makeOperation,
  migration: makeMigration,
}

try {
  const make = makers[what ?? '']
  if (make === undefined || name === '') throw new Error(usage)
  process.exitCode = await make()
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
}
