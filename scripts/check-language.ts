// The language rules of AGENTS.md, checked: comments, strings that are sentences, a few names, and the prose of the docs.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

export interface LanguageProblem {
  readonly line: number
  readonly found: string
  readonly better: string
}

interface Rule {
  readonly pattern: RegExp
  readonly better: string
}

/** A marker in a comment on the same line, for the rare sentence that quotes a forbidden word. */
const marker = 'language: quoted'

const headless = /^(?:What|Who|Whoever|Whose|Those|Which|Whatever)\b/

const words: readonly Rule[] = [
  { pattern: /(?<![.\w-])answers?(?![\w-])(?! to\b)/gi, better: 'returns; for HTTP: response' },
  { pattern: /\b(?:is|are|was|were) gone\b/gi, better: 'is deleted; is hidden' },
  { pattern: /\bout of sight\b/gi, better: 'hidden' },
  { pattern: /\blook(?:s|ing)? for due\b/gi, better: 'poll for due jobs' },
  { pattern: /\blook(?:s|ing)? at once\b/gi, better: 'immediately' },
  { pattern: /\bjust now\b/gi, better: 'currently' },
  { pattern: /\b(?:lost|los(?:e|es|ing)) (?:a |the |its |this |that )?races?\b/gi, better: 'conflict' },
  { pattern: /\brac(?:e|es|ed|ing) on\b/gi, better: 'retry' },
  { pattern: /\blanes?\b/gi, better: 'queue (of what: tenant, resource, delivery)' },
  { pattern: /\btak(?:e|es|ing) turns\b|\b(?:its|their|whose|a|the) turn\b/gi, better: 'slot; round-robin' },
  { pattern: /\brooms?\b/gi, better: 'slot; capacity; folder' },
  { pattern: /\bheirs?\b/gi, better: 'successor' },
  { pattern: /\bbelongings\b/gi, better: 'children' },
  { pattern: /\b(?:is|are|was|were|been) made up\b/gi, better: 'is invalid' },
  { pattern: /\bof elsewhere\b/gi, better: 'external' },
  { pattern: /\b(?:tells|told)\b/gi, better: 'reports; says; includes; distinguishes' },
  { pattern: /\bin vain\b/gi, better: 'without effect' },
  { pattern: /\bfor ever\b/gi, better: 'permanently' },
  { pattern: /\ball the same\b/gi, better: 'anyway' },
  { pattern: /\bnobody’?'?s\b/gi, better: 'unhandled; without an owner' },
  { pattern: /\bagain and again\b/gi, better: 'repeatedly' },
  {
    pattern: /\b(?:foreign|remote|source) CRMs?\b|\bCRM sources?\b/gi,
    better: 'external CRM; integration (its settings), import (the engine), connector (the wire)',
  },
]

/** Parts of a camelCase name that say nothing, and whole names that say too little. */
const nameParts = /(?:^|(?<=[a-z0-9])(?=[A-Z]))(?:[Ll]anes?|[Hh]eirs?|[Bb]elongings|[Rr]emains)(?![a-z])/
// `kept` is a figure of an undo in the contract, so it is a name here.
const wholeNames = new Set(['between', 'reach'])

/** Every problem of one source or document, in the order of its lines. */
export function languageProblems(path: string, text: string): LanguageProblem[] {
  const problems = path.endsWith('.md') ? ofProse(withoutCode(text), 0) : ofSource(path, text)
  const lines = text.split('\n')
  const lineOf = (offset: number) => text.slice(0, offset).split('\n').length
  return problems
    .map(({ offset, ...rest }) => ({ line: lineOf(offset), ...rest }))
    .filter(({ line }) => !lines[line - 1]?.includes(marker))
    .sort((a, b) => a.line - b.line)
}

interface Finding {
  readonly offset: number
  readonly found: string
  readonly better: string
}

/** Prose holds its text at its original offsets: code is blanked, markup stays. */
function ofProse(prose: string, start: number): Finding[] {
  const text = unwrapped(prose)
  const heads = [...text.matchAll(/(?:[^.?!|\n]|[.?!](?=[^\s)]))+[.?!]?/g)].flatMap((match) => {
    const blanks = /^[\s*#>-]*/.exec(match[0])?.[0].length ?? 0
    return ofHead(match[0].slice(blanks), start + match.index + blanks)
  })
  return [...heads, ...ofWords(text, start)]
}

function ofHead(sentence: string, offset: number): Finding[] {
  if (!headless.test(sentence) || sentence.endsWith('?')) return []
  const found = sentence.split(/\s+/).slice(0, 4).join(' ')
  return [{ offset, found, better: 'begin with the subject’s name' }]
}

function ofWords(text: string, start: number): Finding[] {
  return words.flatMap(({ pattern, better }) =>
    [...text.matchAll(pattern)].map((match) => ({ offset: start + match.index, found: match[0], better })),
  )
}

/** The signs of a problem: a source without any of them is not parsed, which takes ten times as long as this. */
const signs: readonly RegExp[] = [
  ...words.map(({ pattern }) => pattern),
  /\b(?:What|Who|Whoever|Whose|Those|Which|Whatever)\b|['"`](?:what|who|whoever|whose|those|which|whatever)\b/,
  /[Ll]ane|[Hh]eir|[Bb]elongings|[Rr]emains|\b(?:between|reach)\b/,
]

function ofSource(path: string, text: string): Finding[] {
  if (signs.every((sign) => text.search(sign) < 0)) return []
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false)
  const comments = new Map<number, number>()
  const findings: Finding[] = []
  const visit = (node: ts.Node): void => {
    const ranges = [
      ...(ts.getLeadingCommentRanges(text, node.pos) ?? []),
      ...(ts.getTrailingCommentRanges(text, node.end) ?? []),
    ]
    for (const { pos, end } of ranges) comments.set(pos, end)
    if (ts.isIdentifier(node)) findings.push(...ofName(node.text, node.getStart(source)))
    else if (isText(node)) findings.push(...ofString(node, text.slice(node.getStart(source), node.end)))
    for (const child of node.getChildren(source)) visit(child)
  }
  visit(source)
  for (const [start, prose] of joinedComments(text, comments)) findings.push(...ofProse(prose, start))
  return findings
}

function isText(node: ts.Node): boolean {
  return ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)
}

function ofName(name: string, offset: number): Finding[] {
  if (!nameParts.test(name) && !wholeNames.has(name)) return []
  return [{ offset, found: name, better: 'a noun that says of what (queue, successor, children, …)' }]
}

/** A string is a sentence when it has blanks; a literal without them is a value of some program. */
function ofString(node: ts.Node, literal: string): Finding[] {
  const start = node.end - literal.length + 1
  const text = withoutCode(literal.slice(1))
  if (!/\S \S/.test(text)) return []
  const begins = !ts.isTemplateMiddleOrTemplateTail(node) && !text.includes('?')
  const sentence = text.charAt(0).toUpperCase() + text.slice(1)
  return [...(begins ? ofHead(sentence, start) : []), ...ofWords(text, start)]
}

/** Comments as prose at their offsets: lines of `//` that follow each other are one text. */
function joinedComments(text: string, ranges: ReadonlyMap<number, number>): Map<number, string> {
  const joined = new Map<number, string>()
  let first = -1
  let lastEnd = -1
  for (const [start, end] of [...ranges].sort(([a], [b]) => a - b)) {
    const gap = text.slice(lastEnd, start)
    const follows = first >= 0 && text.startsWith('//', start) && /^\n[ \t]*$/.test(gap)
    if (!follows) first = start
    joined.set(first, `${follows ? joined.get(first) + gap : ''}${text.slice(start, end)}`)
    lastEnd = end
  }
  for (const [start, comment] of joined) {
    joined.set(start, withoutCode(comment.replace(/^[ \t]*(?:\/\*+|\/\/+|\*(?!\/))|\*\/$/gm, blanks)))
  }
  return joined
}

/** Fenced and inline code, addresses of links and HTML comments become blanks. */
function withoutCode(text: string): string {
  return text.replace(/^```[\s\S]*?^```|`[^`]*`|\]\([^)]*\)|<!--[\s\S]*?-->/gm, blanks)
}

/** A sentence that wraps is one sentence; lists, tables, headings and paragraphs begin anew. */
function unwrapped(text: string): string {
  return text.replace(/\n(?=[ \t]*[^\s@|#*-])/g, ' ')
}

function blanks(text: string): string {
  return text.replace(/[^\n]/g, ' ')
}

const sources = [
  'packages/*/{src,test,bench}/**/*.{ts,tsx}',
  'examples/**/*.ts',
  'scripts/**/*.{ts,mjs}',
  'docs/**/*.md',
  'packages/*/{README,AGENTS}.md',
  'packages/server/src/adapters/*/AGENTS.md',
  '.changeset/*.md',
  '*.md',
]
/** Generated files say what their sources say; the test of this check quotes what it refuses. */
const unread = /node_modules|\.gen\.ts$|^CHANGELOG|^scripts\/check-language\.test\.ts$/

/** Prints each problem below `root`, or of `only` these files, as `file:line` and returns the exit code. */
export function checkLanguage(root = '.', only: readonly string[] = []): number {
  const files = globSync(sources, { cwd: root }).filter(
    (path) => !unread.test(path) && (only.length === 0 || only.includes(path)),
  )
  const report = files
    .sort()
    .flatMap((path) =>
      languageProblems(path, readFileSync(join(root, path), 'utf8')).map(
        ({ line, found, better }) => `${path}:${line}: “${found}”, better: ${better}`,
      ),
    )
  for (const line of report) process.stderr.write(`${line}\n`)
  return report.length > 0 ? 1 : 0
}
