// The workspace's tasks, run under the pinned Node by scripts/bootstrap.mjs. `start`, `crm` and `crm-server` are not here:
// the bootstrap runs them itself.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { checkApiChanges } from './check-api-changes.ts'
import { checkChangeset } from './check-changeset.ts'
import { checkConsoleSize } from './check-console-size.ts'
import { checkCost } from './check-cost.ts'
import { checkLanguage } from './check-language.ts'
import { checkSourceRules } from './check-source-rules.ts'
import { checkWidgetSize } from './check-widget-size.ts'
import { printTotals } from './ci-totals.ts'
import { copySdkDocs } from './copy-sdk-docs.ts'
import { copyServerAssets } from './copy-server-assets.ts'
import { makeExecutable } from './make-executable.ts'
import { provePackages } from './prove-packages.ts'
import {
  chain,
  execute,
  nativeCompiler,
  type Output,
  runSideBySide,
  runSteps,
  type Step,
  step,
} from './run-steps.ts'
import { reportLeftOut } from './service-suites.ts'
import { recordSlowSuites } from './slow-suites.ts'
import { writeCommit } from './write-commit.ts'

type Arguments = readonly string[]

// The native compiler, with all its threads. The other TypeScript is for programs that use it as a library.
const compile = step('tsc -b', 'node', nativeCompiler, '-b')
const buildSteps: readonly Step[] = [
  compile,
  { name: 'server assets', run: copyServerAssets },
  { name: 'programs', run: makeExecutable },
  { name: 'tsup (sdk)', run: buildSdk },
  { name: 'commit', run: writeCommit },
]
// With the rules that read the whole project; `format` and `npm run new` do without them.
const lintStep = (args: Arguments): Step =>
  step(
    'lint',
    'biome',
    'check',
    '--config-path=biome.types.json',
    '--error-on-warnings',
    '--no-errors-on-unmatched',
    ...args,
  )
const generateStep = (args: Arguments): Step =>
  step('generated files', 'node', '--conditions=@crmkit/source', 'scripts/generate.ts', ...args)
const sizeStep = chain('sizes', [
  { name: 'bytes of the widget', run: async () => checkWidgetSize() },
  { name: 'bytes of the console', run: async () => checkConsoleSize() },
  step('bytes of each entry', 'size-limit'),
  step('bytes of an operation', 'node', '--conditions=@crmkit/source', 'scripts/check-operation-size.ts'),
])
const testStep = (args: Arguments): Step => ({ name: 'tests', run: () => runTests(args) })

const dependencyStep = (args: Arguments): Step =>
  step('dependency rules', 'depcruise', '--config', '.dependency-cruiser.mjs', ...args)
const changesetStep: Step = { name: 'changeset', run: async () => checkChangeset() }
const interfaceStep: Step = { name: 'interface', run: async () => checkApiChanges() }
/** A task in a process of its own: it computes, and the other steps go on beside it. */
const taskStep = (name: string, task: string, args: Arguments = []): Step =>
  step(name, 'node', 'scripts/tasks.ts', task, ...args)
const scaffoldStep = step('scaffold', 'node', '--conditions=@crmkit/source', 'scripts/prove-scaffold.ts')

/**
 * Every static check; with `--changed` only the checks that a change of sources can break, on the files that git
 * reports as changed.
 */
async function runChecks(args: Arguments): Promise<number> {
  // First: the lint reads the declarations that the compiler writes.
  if ((await runSteps([compile])) !== 0) return 1
  if (args.includes('--changed')) return runSideBySide(stepsFor(changedFiles()))
  return runSideBySide([
    lintStep([]),
    dependencyStep(['packages', 'examples']),
    taskStep('language', 'language'),
    taskStep('cost of texts', 'cost'),
    taskStep('rules of the sources', 'source-rules'),
    generateStep(['--check']),
    interfaceStep,
    changesetStep,
  ])
}

const isSource = (file: string) => /^(packages|examples)\/.*\.(ts|tsx|mts|mjs)$/.test(file)
/** The generated files, and the sources that they are made of. */
const isOfGenerated = (file: string) =>
  /^(packages\/(core|cli|sdk)\/src|packages\/server\/(src\/(main|http\/pages\/api-docs)|test)|scripts|docs)\/|^(openapi\.json|README\.md|AGENTS\.md|\.env\.example)$/.test(
    file,
  )

const isOfInterface = (file: string) =>
  /^(openapi\.json|docs\/(breaking|releases)\.json|scripts\/(check-api-changes|compare-documents)\.ts)$/.test(
    file,
  )

function stepsFor(files: Arguments): Step[] {
  const sources = files.filter(isSource)
  const areRulesChanged = files.some((file) => /^(\.dependency-cruiser\.mjs|scripts\/floors\.ts)$/.test(file))
  const cruised = areRulesChanged ? ['packages', 'examples'] : sources
  return [
    ...(files.length > 0 ? [lintStep(files), taskStep('language', 'language', files)] : []),
    ...(cruised.length > 0 ? [dependencyStep(cruised)] : []),
    ...(sources.length > 0 ? [taskStep('cost of texts', 'cost', sources)] : []),
    ...(sources.length > 0 ? [taskStep('rules of the sources', 'source-rules')] : []),
    ...(files.some(isOfGenerated) ? [generateStep(['--check'])] : []),
    ...(files.some(isOfInterface) ? [interfaceStep] : []),
    changesetStep,
  ]
}

function changedFiles(): string[] {
  const list = (...command: string[]) =>
    execFileSync('git', command, { encoding: 'utf8' }).split('\n').filter(Boolean)
  const changed = list('diff', '--name-only', '--diff-filter=d', 'HEAD')
  return [...changed, ...list('ls-files', '--others', '--exclude-standard')]
}

/**
 * The proofs that take longer than a check and seldom fail: the published packages (sizes, shapes, and their use in empty projects),
 * what `npm run new` writes, and sources that nothing uses. `part` is the name of one of them.
 */
async function runProofs([part]: Arguments): Promise<number> {
  if ((await runSteps([compile])) !== 0) return 1
  const parts: Readonly<Record<string, Step>> = {
    scaffold: scaffoldStep,
    packages: chain('packages', [...buildSteps.slice(1), sizeStep, { name: 'use', run: provePackages }]),
    'dead-code': step('dead code', 'knip'),
  }
  const one = part === undefined ? undefined : parts[part]
  return runSideBySide(one === undefined ? Object.values(parts) : [one])
}

const tasks: Record<string, (args: Arguments) => Promise<number>> = {
  install: async () => 0, // The bootstrap has done it.
  test: (args) => runSteps([testStep(args)]),
  typecheck: () => runSteps([compile]),
  lint: (args) => runSteps([lintStep(args)]),
  language: async (args) => checkLanguage('.', args),
  cost: async (args) => checkCost('.', args),
  'source-rules': async () => checkSourceRules(),
  format: (args) => runSteps([step('format', 'biome', 'check', '--write', ...args)]),
  build: () => runSteps(buildSteps),
  size: () => runSteps([...buildSteps, sizeStep]),
  generate: (args) => runSteps([generateStep(args)]),
  bench: runBench,
  new: (args) => execute('node', ['--conditions=@crmkit/source', 'scripts/new.ts', ...args]),
  clients: (args) => execute('node', ['--conditions=@crmkit/source', 'scripts/clients.ts', ...args]),
  faults: runFaults,
  corpus: (args) =>
    execute('node', [
      '--conditions=@crmkit/source',
      '--disable-warning=ExperimentalWarning',
      'scripts/corpus.ts',
      ...args,
    ]),
  fuzz: (args) =>
    execute('node', ['--conditions=@crmkit/source', 'packages/server/test/fuzz/run-fuzz.ts', ...args]),
  walk: runWalk,
  soak: (args) =>
    execute('node', ['--conditions=@crmkit/source', 'packages/server/test/faults/run-soak.ts', ...args]),
  example: runExample,
  demo: (args) => execute('node', ['--conditions=@crmkit/source', 'scripts/demo.ts', ...args]),
  'demo:import': (args) =>
    execute('node', ['--conditions=@crmkit/source', 'scripts/demo-import.ts', ...args]),
  'demo:migrate': (args) =>
    execute('node', ['--conditions=@crmkit/source', 'scripts/demo-migrate.ts', ...args]),
  check: runChecks,
  prove: runProofs,
  verify: runVerify,
  nightly: runNightly,
  'ci-totals': runTotals,
  'slow-suites': async ([reportFile = '']) => {
    recordSlowSuites(reportFile)
    return 0
  },
}

/** Builds the SDK unless it is the build of the same sources: its declarations take longer than all other packages together. */
async function buildSdk(output?: Output): Promise<number> {
  const sources = hashOf('packages/{core,sdk}/{src/**/*,*.ts,package.json}', 'pnpm-lock.yaml')
  const stamp = 'packages/sdk/dist/.sources'
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== sources) {
    rmSync('packages/sdk/dist', { recursive: true, force: true })
    const code = await execute('tsup', ['--silent'], { cwd: 'packages/sdk', output })
    if (code !== 0) return code
    writeFileSync(stamp, sources)
  }
  copySdkDocs()
  return 0
}

function hashOf(...patterns: string[]): string {
  const hash = createHash('sha256')
  for (const file of globSync(patterns, { exclude: (name) => name.endsWith('.test.ts') }).sort()) {
    if (statSync(file).isFile()) hash.update(`${file}\n`).update(readFileSync(file))
  }
  return hash.digest('hex')
}

async function runTests(args: Arguments): Promise<number> {
  // A reporter that the caller chooses replaces the runner's own, never the count of the worlds.
  const own = args.some((argument) => argument.startsWith('--reporter')) ? [] : ['--reporter=default']
  // Files that are named run in every world.
  if (args.some((argument) => /^(packages|scripts|examples)\//.test(argument)))
    process.env['CRM_TEST_SCOPE'] = 'all'
  process.env['CRM_TEST_SCOPE'] ??= 'quick'
  const code = await execute('vitest', ['run', ...own, '--reporter=./scripts/world-reporter.ts', ...args])
  for (const line of reportLeftOut(args)) process.stderr.write(`left out: ${line}\n`)
  return code
}

/** Everything that a machine can say of a change by day. */
async function runVerify(): Promise<number> {
  process.env['CRM_TEST_SCOPE'] = 'day'
  return Math.max(await runChecks([]), await runProofs([]), await runSteps([testStep([])]))
}

/** The runs that take too long for every landing: all suites in all worlds, and kills, outages and fuzzers with a new seed. */
function runNightly(): Promise<number> {
  process.env['CRM_TEST_SCOPE'] = 'all'
  const faults = (title: string, ...args: Arguments): Step => ({ name: title, run: () => runFaults(args) })
  return runSteps([
    testStep([]),
    faults('kills on SQLite', '--kills', '300'),
    faults('kills on MongoDB', '--kills', '100', '--world', 'mongodb'),
    faults('outages of Redis', '--redis', '20'),
    faults('outages of MongoDB', '--mongodb', '10'),
    faults('kills while mails come and go', '--mail', '200'),
    faults('a support history that moves', '--move', '2000', '--kills', '10'),
    faults('everything at once on SQLite', '--together', '5'),
    faults('everything at once on MongoDB', '--together', '3', '--world', 'mongodb'),
    { name: 'walk with kills', run: () => runWalk(['--kills', '--minutes', '10']) },
    { name: 'walk on both databases', run: () => runWalk(['--world', 'both', '--minutes', '10']) },
    {
      name: 'fuzzers',
      run: () => tasks['fuzz']?.(['--seconds', '600', '--mails', '20000']) ?? Promise.resolve(1),
    },
    scaffoldStep,
  ])
}

async function runBench([name, ...args]: Arguments): Promise<number> {
  const files = globSync('packages/*/bench/*.ts')
  const file = files.find((path) => basename(path, '.ts') === name)
  if (file) return execute('node', ['--conditions=@crmkit/source', file, ...args])
  const names = files.map((path) => basename(path, '.ts'))
  process.stderr.write(`Which benchmark? ${names.sort().join(', ') || 'There are none yet.'}\n`)
  return 1
}

function runFaults(args: Arguments): Promise<number> {
  return execute('node', [
    '--conditions=@crmkit/source',
    'packages/server/test/faults/run-faults.ts',
    ...args,
  ])
}

function runWalk(args: Arguments): Promise<number> {
  return execute('node', ['--conditions=@crmkit/source', 'packages/server/test/walk/run-walk.ts', ...args])
}

/** The program of an example is its only source that is no test. */
async function runExample([name = '', ...args]: Arguments): Promise<number> {
  const [file] = globSync(`examples/${name}/*.ts`).filter((path) => !path.endsWith('.test.ts'))
  if (/^[a-z-]+$/.test(name) && file) return execute('node', ['--conditions=@crmkit/source', file, ...args])
  const names = globSync('examples/*/package.json').map((path) => basename(dirname(path)))
  process.stderr.write(`Which example? ${names.sort().join(', ')}\n`)
  return 1
}

async function runTotals([reportFile = '', testsExitCode = '1']: Arguments): Promise<number> {
  printTotals(reportFile, Number(testsExitCode))
  return 0
}

const [name = '', ...args] = process.argv.slice(2)
const task = Object.hasOwn(tasks, name) ? tasks[name] : undefined
if (task) {
  process.exitCode = await task(args)
} else {
  process.stderr.write(
    `Unknown task "${name}". Tasks: start, crm, crm-server, ${Object.keys(tasks).join(', ')}\n`,
  )
  process.exitCode = 1
}
