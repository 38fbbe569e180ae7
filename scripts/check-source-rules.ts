// Rules of the sources that no type can hold: a handler asks its context for the time, nothing depends on the machine's
// time zone or language, a tenant's id is never made of a text, a log has no path of a request, and a screen takes its words
// from `strings`.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

interface Rule {
  readonly files: RegExp
  readonly exceptFiles?: RegExp
  /** A file without it is not parsed. */
  readonly sign: RegExp
  breaks(node: ts.Node): boolean
  readonly instead: string
}

type RuleName =
  | 'clock'
  | 'chance'
  | 'locale'
  | 'time zone'
  | 'tenant'
  | 'logged path'
  | 'reason'
  | 'count'
  | 'words'

/** The program itself, its commands and the adapters make the clocks and ids that all other folders are given. */
const outerFolders = /^packages\/server\/src\/(main|commands|adapters|copy)\//
const service = { files: /^packages\/(core|server)\/src\//, exceptFiles: outerFolders }

const isCallOf = (node: ts.Node, name: RegExp): boolean =>
  ts.isCallExpression(node) && name.test(node.expression.getText())

const isNewDate = (node: ts.Node): node is ts.NewExpression =>
  ts.isNewExpression(node) && node.expression.getText() === 'Date'

const rules: Readonly<Record<RuleName, Rule>> = {
  clock: {
    ...service,
    sign: /Date\.now|new Date\(\)/,
    breaks: (node) => node.getText() === 'Date.now' || (isNewDate(node) && !node.arguments?.length),
    instead: 'the time is `now` of the context, or `nowMs` of a clock',
  },
  chance: {
    ...service,
    sign: /Math\.random/,
    breaks: (node) => node.getText() === 'Math.random',
    instead: 'ids come from the id factory, and secrets from node:crypto',
  },
  locale: {
    ...service,
    sign: /\.(toLocale|localeCompare)/,
    breaks: (node) => isCallOf(node, /\.(toLocale\w+|localeCompare)$/),
    instead: 'a machine in another country gives another text: name the language, or compare with < and >',
  },
  'time zone': {
    ...service,
    sign: /\.[gs]et(FullYear|Month|Date|Day|Hours|Minutes)\(|\.to(Date|Time)String\(|new Date\(/,
    breaks: (node) =>
      isCallOf(node, /\.[gs]et(FullYear|Month|Date|Day|Hours|Minutes)$|\.to(Date|Time)String$/) ||
      (isNewDate(node) && (node.arguments?.length ?? 0) > 1),
    instead: 'a machine in another time zone gives another day: use the UTC methods',
  },
  tenant: {
    ...service,
    sign: /as TenantId/,
    breaks: (node) => ts.isAsExpression(node) && node.type.getText() === 'TenantId',
    instead: 'a TenantId comes from authentication, a registration or a stored row',
  },
  'logged path': {
    files: /^packages\/server\/src\//,
    sign: /\b(path|url): .*\breq\b/,
    breaks: (node) =>
      ts.isPropertyAssignment(node) &&
      /^(path|url)$/.test(node.name.getText()) &&
      /\breq\.(url|originalUrl|path)\b/.test(node.initializer.getText()),
    instead: 'the path of a request may hold a token or a name: a log gets the pattern of the path',
  },
  reason: {
    files: /^packages\/core\/src\//,
    sign: /none\('say here/,
    breaks: (node) => isCallOf(node, /^none$/) && /\('say here/.test(node.getText()),
    instead: '`npm run new` cannot know why a change needs no audit entry: name the entry, or the reason',
  },
  count: {
    ...service,
    sign: /\.list\(/,
    breaks: (node) =>
      (ts.isVariableDeclaration(node) && ts.isObjectBindingPattern(node.name) && isUncounted(node)) ||
      (isCallOf(node, /^readAll$/) && /\.list\(/.test(node.getText())),
    instead: 'a list whose total nobody reads is counted for nothing: `listRows` counts nothing',
  },
  words: {
    files: /^packages\/console\/src\/.*\.tsx$/,
    exceptFiles: /^packages\/console\/src\/app\/gallery\.tsx$/,
    sign: /[A-Za-z]/,
    breaks: isWrittenOut,
    instead: 'every text of a screen is in packages/console/src/strings',
  },
}

const pageFields: ReadonlySet<string> = new Set(['rows', 'nextCursor'])

/** Returns whether a list is read whose rows alone are used. */
function isUncounted({ name, initializer }: ts.VariableDeclaration): boolean {
  if (initializer === undefined || !ts.isAwaitExpression(initializer)) return false
  if (!isCallOf(initializer.expression, /\.list$/)) return false
  const fields = (name as ts.ObjectBindingPattern).elements.map((one) =>
    (one.propertyName ?? one.name).getText(),
  )
  return fields.includes('rows') && fields.every((field) => pageFields.has(field))
}

const shownAttributes = /^(aria-(label|description|placeholder)|alt|hint|label|placeholder|sentence|title)$/
/** Words that are the same in every language. */
const names: ReadonlySet<string> = new Set(['crmkit'])

/** Returns whether a node of JSX holds words that a person reads. */
function isWrittenOut(node: ts.Node): boolean {
  if (ts.isJsxText(node)) return isWords(node.text)
  const { parent } = node
  if (!ts.isStringLiteralLike(node) || parent === undefined) return false
  const holder = ts.isJsxExpression(parent) ? parent.parent : parent
  if (!ts.isJsxAttribute(holder)) return ts.isJsxExpression(parent) && isWords(node.text)
  const isShown = shownAttributes.test(holder.name.getText()) || /^[A-Z]/.test(node.text)
  return isShown && isWords(node.text)
}

function isWords(text: string): boolean {
  return /\p{L}/u.test(text) && !names.has(text.trim())
}

interface Allowed {
  readonly rule: RuleName
  readonly file: string
  readonly why: string
}

/** The places that may break a rule, one for each time. The list only becomes shorter: `check-source-rules.test.ts`. */
export const allowed: readonly Allowed[] = [
  {
    rule: 'clock',
    file: 'packages/server/src/shared/clock.ts',
    why: 'it is the clock that all others are given',
  },
  {
    rule: 'chance',
    file: 'packages/server/src/features/conversations/choose-assignee.ts',
    why: 'several processes begin at different members',
  },
  {
    rule: 'chance',
    file: 'packages/server/src/imports/run/run-ends.ts',
    why: 'integrations of one hour are not read at the same second',
  },
  {
    rule: 'chance',
    file: 'packages/server/src/imports/run/after-failure.ts',
    why: 'processes that failed together do not try together',
  },
  { rule: 'tenant', file: 'packages/server/src/features/auth/open-session.ts', why: 'a registration' },
  {
    rule: 'tenant',
    file: 'packages/server/src/features/integrations/revoke-grant.ts',
    why: 'a stored row, which names its tenant in a plain text',
  },
  {
    rule: 'tenant',
    file: 'packages/server/src/connectors/open-connectors.ts',
    why: 'a stored row, which names its tenant in a plain text',
  },
  {
    rule: 'tenant',
    file: 'packages/server/src/shared/known-notice.ts',
    why: 'a notice of another process of this service, whose schema it passes',
  },
  {
    rule: 'tenant',
    file: 'packages/server/src/upgrades/upgrade-state.ts',
    why: 'the empty id of the whole server',
  },
]

export interface SourceProblem {
  readonly rule: RuleName
  readonly line: number
  readonly found: string
}

/** Returns each place of one source that breaks a rule, the allowed ones too. */
export function sourceProblems(path: string, text: string): SourceProblem[] {
  const asked = Object.entries(rules).filter(
    ([, { files, exceptFiles, sign }]) => files.test(path) && !exceptFiles?.test(path) && sign.test(text),
  ) as [RuleName, Rule][]
  if (asked.length === 0) return []
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind)
  const problems: SourceProblem[] = []
  const visit = (node: ts.Node): void => {
    for (const [rule, { breaks }] of asked) {
      if (!breaks(node)) continue
      const { line } = source.getLineAndCharacterOfPosition(node.getStart())
      problems.push({ rule, line: line + 1, found: node.getText().trim().slice(0, 60) })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return problems
}

/** Returns what a source breaks beyond the places that are allowed, and the allowed places that it no longer needs. */
function reportOf(path: string, text: string): string[] {
  const found = sourceProblems(path, text)
  const report = found.flatMap(({ rule, line, found: what }, at) => {
    const earlier = found.slice(0, at).filter((each) => each.rule === rule).length
    return earlier < timesAllowed(path, rule) ? [] : [`${path}:${line}: ${what}: ${rules[rule].instead}`]
  })
  const unused = (Object.keys(rules) as RuleName[]).filter(
    (rule) => found.filter((each) => each.rule === rule).length < timesAllowed(path, rule),
  )
  return [
    ...report,
    ...unused.map((rule) => `${path}: remove its place in \`allowed\` (${rule}), which it no longer needs`),
  ]
}

function timesAllowed(path: string, rule: RuleName): number {
  return allowed.filter((each) => each.file === path && each.rule === rule).length
}

/** Tests may ask the machine; generated files repeat their sources. */
const unread = /\.test\.tsx?$|\.contract\.ts$|\.gen\.ts$/

/** Prints each problem below `root` and returns the exit code. */
export function checkSourceRules(root = '.'): number {
  const files = globSync('packages/{core,server,console}/src/**/*.{ts,tsx}', { cwd: root })
  const read = files.filter((path) => !unread.test(path)).sort()
  const moved = allowed.filter(({ file }) => root === '.' && !read.includes(file))
  const report = [
    ...read.flatMap((path) => reportOf(path, readFileSync(join(root, path), 'utf8'))),
    ...moved.map(
      ({ file }) => `${file} is in \`allowed\` of scripts/check-source-rules.ts and does not exist`,
    ),
  ]
  for (const line of report) process.stderr.write(`${line}\n`)
  return report.length > 0 ? 1 : 0
}
