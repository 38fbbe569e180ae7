// The floors of the server, top to bottom. The dependency rules, the map in AGENTS.md and the tests of both are made from
// this list: a folder without a line here is refused.

export interface Floor {
  /** A folder of `packages/server/src`, without the floors in it that have a line of their own; `x/*`: each folder in it. */
  readonly path: string
  /** A sentence about the code that lives here. */
  readonly what: string
  /** All that it may import; without it every floor below. */
  readonly only?: readonly string[]
}

/** A floor may import the floors below it, and nothing else of the server. Types count. */
export const floors: readonly Floor[] = [
  { path: 'index.ts', what: 'The exports of the package.' },
  {
    path: 'main',
    what: 'The program, its listeners, and the service inside of another program (`embedding/`).',
  },
  {
    path: 'commands',
    what: 'The commands of an operator beside the service; `doctor/` has one file for each check.',
  },
  { path: 'copy', what: 'The command that moves a database to the other one.' },
  {
    path: 'main/compose',
    what: 'Makes the service of its parts. `parts.ts` chooses the adapters, `job-registry.ts` names the background jobs.',
  },
  { path: 'main/config', what: 'The settings. `config.ts` alone reads the environment.' },
  {
    path: 'adapters/*',
    what: 'Each keeps the promise of some ports with one driver or one protocol, and can be exchanged alone.',
    only: ['connectors', 'fairness', 'shared', 'storage/rules', 'ports', 'storage'],
  },
  { path: 'ledger', what: 'Erases again what the ledger of erasures names, in data of an earlier time.' },
  {
    path: 'http',
    what: 'One request, in order: `pipeline/`, `credentials/`, `request/`, `response/`, `backpressure/`, `streams/`, `quotas/`, `usage/`; `pages/` for browsers; the doors `inbound/` and `callbacks/`.',
  },
  {
    path: 'live',
    what: 'Live events: presence, signs of typing, and counts that are kept in memory.',
    only: ['features/conversations', 'features', 'shared', 'storage/rules', 'ports', 'storage'],
  },
  {
    path: 'mail/in',
    what: 'Incoming mail: its doors (`smtp-door/`, `fetch/`), and the changes that a mail makes.',
  },
  { path: 'features/handlers.ts', what: 'The handler of each operation.' },
  { path: 'features/body-checks.ts', what: 'The checks of a body that its schema cannot make.' },
  { path: 'features/*', what: 'One area; a handler reads, decides and returns a change.' },
  { path: 'features/users', what: 'Users, whom requests for privacy remove.' },
  { path: 'features/conversations', what: 'Conversations, which the other areas change too.' },
  { path: 'features', what: 'The types that all areas share: handlers, callers and downloads.' },
  { path: 'imports', what: 'The background job that runs imports and their undo.' },
  { path: 'imports/undo', what: 'Takes a run back.' },
  { path: 'imports/package', what: 'One run of a package: its files, its kinds, its figures.' },
  { path: 'imports/run', what: 'One run, page by page: its state, its writes, its end.' },
  { path: 'imports/plan', what: 'Decides what the records of one page become.' },
  { path: 'imports/rules', what: 'Pure rules: values, matches, three-way merges.' },
  { path: 'mail/out', what: 'Outgoing mail: a reply is queued, composed, signed and sent.' },
  { path: 'delivery/webhooks', what: 'Webhooks, a sender of the engine.' },
  { path: 'delivery/engine', what: 'Claims, rotates and retries deliveries of any sender.' },
  { path: 'mail/parser-process', what: 'The process in which foreign mail is parsed.' },
  { path: 'mail/parse', what: 'Reads a mail. Pure.' },
  { path: 'mail/addresses', what: 'The addresses, the servers and the signatures of an inbox.' },
  { path: 'jobs', what: 'The type of a background job, the scheduler, and the jobs of the database itself.' },
  { path: 'metrics', what: 'Figures for Prometheus.' },
  { path: 'upgrades', what: 'The steps that bring stored rows into the form of today (ADR 44).' },
  { path: 'security', what: 'Passwords, tokens, sealed secrets.' },
  {
    path: 'connectors',
    what: 'The wire to external CRMs: sign-in, tokens, hosts; and the reading of files (`files/`).',
  },
  {
    path: 'fairness',
    what: 'Turns of tenants and budgets of strangers, which doors and background jobs share.',
  },
  { path: 'shared', what: 'Rules that several folders use.' },
  { path: 'storage/rules', what: 'The rules of both databases.' },
  { path: 'ports', what: 'Interfaces only: the wishes of the service, which adapters fulfil.' },
  {
    path: 'storage',
    what: 'The stored rows: a declaration for each kind (`kinds/`), records, errors.',
  },
]

/** The folders of `packages/server/test`. The services that a suite needs stand in its file's name. */
export const testFolders: Readonly<Record<string, string>> = {
  architecture: 'The rules of this code, and the mistakes that they find.',
  backup: 'A backup and its restore.',
  browser: 'The questions that only a browser can decide: the console, the widget and the pages.',
  contracts: 'The promises of the ports, in every world (`scripts/service-suites.ts`).',
  copy: 'The move of a database to the other one.',
  faults: 'Kills, outages, full disks and jumps of the clock, under load.',
  fuzz: 'Generated requests, callbacks and mails.',
  hostile: 'The cost of hostile and unlucky bytes.',
  http: 'The guarantees of the API, on SQLite; on MongoDB as `docs/testing.md` says.',
  imports: 'Imports from sources in memory, in every world.',
  isolation:
    'Tenants, roles, audit and idempotency of every operation, generated from the registry, in every world.',
  journeys: 'Whole processes, in every world.',
  mail: 'The doors of mail, and the corpus of real and hostile mails.',
  operating: 'The operating page against the metrics that exist.',
  scale: 'Several processes on one database.',
  schema: 'Both databases against the declarations.',
  support: 'The helpers that tests share.',
  walk: 'A random walk over the API, beside a model of the contract, on both databases.',
}

const source = '^packages/server/src/'

/** The folder of a floor; of the floors of `x/*`, the folder `x`. */
function folderOf(path: string): string {
  return path.replace(/\/\*$/, '')
}

function tailPattern(path: string): string {
  return path.endsWith('.ts') ? `${path.replaceAll('.', '\\.')}$` : `${path.replace('*', '[^/]+')}/`
}

/** Matches the files of a floor. The first group of `x/*` is the folder in it. */
function patternOf({ path }: Floor): string {
  if (path.endsWith('.ts')) return `${source}${tailPattern(path)}`
  const folder = `${folderOf(path)}/`
  const inside = floors
    .filter((other) => other.path !== path && other.path.startsWith(folder))
    // `x/*` is folders, so a file beside them is in none of them.
    .filter((other) => !path.endsWith('*') || !other.path.endsWith('.ts'))
    .map((other) => tailPattern(other.path.slice(folder.length)))
  const except = inside.length > 0 ? `(?!${inside.join('|')})` : ''
  return `${source}${folder}${except}${path.endsWith('*') ? '([^/]+)/' : ''}`
}

/** Returns the floor of a file of the server, by its path in the repository. */
export function floorOf(file: string): Floor | undefined {
  return floors.find((floor) => new RegExp(patternOf(floor)).test(file))
}

/** Returns the floors that a floor may import. */
function floorsBelow(floor: Floor): readonly Floor[] {
  const below = floors.slice(floors.indexOf(floor) + 1)
  return floor.only ? below.filter(({ path }) => floor.only?.includes(path)) : below
}

export function ruleNameOf({ path }: Floor): string {
  return `floor-${path.replace(/\.ts$|\/\*$/, '').replaceAll('/', '-')}${path.endsWith('*') ? '-each' : ''}`
}

/** Returns the dependency rules of the floors. The first floor may import every other one, so it has none. */
export function floorRules(testFiles: string) {
  const rules = floors.slice(1).map((floor) => {
    const own = floor.path.endsWith('*') ? `${source}${folderOf(floor.path)}/$1/` : patternOf(floor)
    return {
      name: ruleNameOf(floor),
      comment: `${floor.what} It may import ${floor.only ? floor.only.join(', ') : 'the floors below it'} (scripts/floors.ts).`,
      severity: 'error',
      from: { path: patternOf(floor), pathNot: testFiles },
      to: { path: source, pathNot: [own, ...floorsBelow(floor).map(patternOf)] },
    }
  })
  const listed = {
    name: 'each-folder-has-a-line',
    comment: 'A folder of the server without a line in scripts/floors.ts may import nothing.',
    severity: 'error',
    from: { path: source, pathNot: [testFiles, ...floors.map(patternOf)] },
    to: {},
  }
  return [listed, ...rules]
}
