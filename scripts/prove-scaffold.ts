// `node scripts/bootstrap.mjs prove scaffold`: the files that `npm run new` writes compile and work before a person has changed them.
// It writes a kind with every type of field and every verb into a copy of this tree, compiles the copy with the compiler's memory of
// this one, and runs the tests that ask each kind and operation.
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { nativeCompiler } from './run-steps.ts'

const kind = 'plantedEntries'
const fields = [
  'title:text',
  'body:linesOf(5000)',
  'note:textOf(80)?',
  'isShared:flag',
  'usedAt:moment?',
  'startsAt:moment',
  'uses:number',
]
const verbs = ['list', 'create', 'get', 'update', 'delete', 'share']

/** The promises of the operations together, over HTTP. */
const journey = `import { expect, it } from 'vitest'
import { call, registerTenant } from '../support/call.ts'
import { startService } from '../support/start-service.ts'

it('plantedEntries.create, .list, .get, .update, .delete and .share do what their names say', async () => {
  const service = await startService()
  try {
    const { token } = await registerTenant(service.url)
    const send = (method: string, at = '', body?: unknown) =>
      call(service.url, { method, path: '/api/v1/planted-entries' + at, token, ...(body !== undefined && { body }) })
    const fields = { title: 'One', body: 'Two\\nlines', isShared: true, startsAt: '2030-01-01T00:00:00.000Z', uses: 1 }
    const created = await send('POST', '', fields)
    expect(created).toMatchObject({ status: 201, body: { data: { ...fields, note: null, usedAt: null } } })
    const at = '/' + created.body.data._id
    expect((await send('GET')).body.data).toEqual([created.body.data])
    const changed = await send('PUT', at, { note: 'A note', isShared: false })
    expect(changed).toMatchObject({ status: 200, body: { data: { ...fields, note: 'A note', isShared: false } } })
    expect((await send('PUT', at, { note: null })).body.data.note).toBeNull()
    expect((await send('PUT', at, { title: '' })).status).toBe(422)
    expect((await send('GET', at)).body.data).toMatchObject({ ...fields, isShared: false })
    expect((await send('POST', at + '/share')).status).toBe(200)
    expect((await send('DELETE', at)).status).toBe(200)
    expect((await send('GET', at)).status).toBe(404)
    const audit = await call(service.url, { path: '/api/tenant/audit-log', token })
    const actions = audit.body.data.map(({ action }: { action: string }) => action)
    expect(actions.slice(0, 4)).toEqual(['plantedEntry.deleted', 'plantedEntry.updated', 'plantedEntry.updated', 'plantedEntry.created'])
  } finally {
    await service.stop()
  }
})
`

const source = '--conditions=@crmkit/source'
const root = process.cwd()
const copy = mkdtempSync(path.join(tmpdir(), 'crmkit-scaffold-'))

/** The files with the tests, and a part of the titles that concern the planted kind. */
const tests = [
  'packages/server/test/http/planted-entries.test.ts',
  'packages/server/test/architecture/one-list.test.ts',
  'packages/server/test/architecture/own-tests.test.ts',
  'packages/server/src/adapters/sqlite/declared-schema.test.ts',
  'packages/server/test/isolation/effects.test.ts',
  'packages/server/test/isolation/foreign-ids.test.ts',
  'packages/server/test/isolation/matrix.test.ts',
  'packages/cli/test/help-examples.test.ts',
]
const titles = 'planted|the same operations have|beside the generated tests'

/**
 * Copies the files that git knows, the packages' links to their dependencies, and the results of the compiler with their times:
 * it compiles only what the planted files change.
 */
function copyTree(): void {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
  for (const file of listed.split('\0').filter(Boolean)) {
    mkdirSync(path.dirname(path.join(copy, file)), { recursive: true })
    cpSync(file, path.join(copy, file), { verbatimSymlinks: true, preserveTimestamps: true })
  }
  for (const folder of globSync(['packages/*/node_modules', 'examples/*/node_modules']))
    cpSync(folder, path.join(copy, folder), { recursive: true, verbatimSymlinks: true })
  const compiled = ['packages/{core,server,cli}/dist', 'packages/{sdk,widget,console}/.tsc', '.tsc']
  for (const file of globSync(
    compiled.flatMap((folder) => [`${folder}/**/*.d.ts`, `${folder}/**/*.tsbuildinfo`]),
  )) {
    cpSync(file, path.join(copy, file), { preserveTimestamps: true })
  }
  symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'))
  execFileSync('git', ['init', '--quiet'], { cwd: copy })
}

/** A person changes the declaration and thinks again: the migration, which is not committed, is made anew each time. */
function changeDeclaration(): void {
  const file = path.join(copy, 'packages/server/src/storage/kinds/planted-entries.ts')
  const text = readFileSync(file, 'utf8')
  for (const declared of [text.replace('  erasure:', "  unique: { title: ['title'] },\n  erasure:"), text]) {
    writeFileSync(file, declared)
    run('node', source, 'scripts/new.ts', 'migration', kind)
  }
}

function run(command: string, ...args: string[]): void {
  const begunAt = performance.now()
  const program = command === 'node' ? process.execPath : path.join('node_modules/.bin', command)
  execFileSync(program, args, { cwd: copy, stdio: ['ignore', 'inherit', 'inherit'] })
  process.stdout.write(
    `✓ ${command} ${args.join(' ')} (${Math.round((performance.now() - begunAt) / 1000)} s)\n`,
  )
}

const report = path.join(copy, 'report.json')
const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]

/** A title that changes would leave its tests out without a word. */
function assertAllRan(): void {
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
    testResults: { name: string; assertionResults: { status: string }[] }[]
  }
  const ran = testResults.filter(({ assertionResults }) =>
    assertionResults.some(({ status }) => status === 'passed'),
  )
  const missing = tests.filter((file) => !ran.some(({ name }) => name.endsWith(file)))
  if (missing.length > 0) throw new Error(`No test ran in ${missing.join(', ')}`)
}

try {
  copyTree()
  run('node', source, 'scripts/new.ts', 'kind', kind, ...fields)
  changeDeclaration()
  for (const verb of verbs) run('node', source, 'scripts/new.ts', 'operation', `${kind}.${verb}`)
  run('node', source, 'scripts/generate.ts')
  run('node', nativeCompiler, '-b')
  writeFileSync(path.join(copy, 'packages/server/test/http/planted-entries.test.ts'), journey)
  run(
    'vitest',
    'run',
    ...tests,
    '--project=sqlite',
    '--project=server',
    '--project=cli',
    '-t',
    titles,
    ...reporters,
  )
  assertAllRan()
} finally {
  rmSync(copy, { recursive: true, force: true })
}
