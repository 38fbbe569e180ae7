// The rule that text of strangers costs in proportion to its length, checked on the sources: regular expressions whose
// time grows with the square of a text, and the platform's normal forms, which do so for runs of combining marks.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CharSet, JS, NFA, type NoParent, type Element as RefaElement } from 'refa'
import { analyse } from 'scslre'
import ts from 'typescript'

export interface CostProblem {
  readonly line: number
  readonly found: string
  readonly why: string
}

/** A marker in a comment on the same line or one of the two above, with the bound that makes a cost harmless. */
const marker = /\/\/.*\bbounded: \S/
/** The one file that may call the platform's `normalize`: it cuts runs of marks before. */
const normalFormFile = 'packages/core/src/shared/normalize.ts'
/** A repetition of so many counts as one without an end. */
const repetitionsMax = 1_000

type Element = NoParent<RefaElement>
type Quantifier = Extract<Element, { type: 'Quantifier' }>

/** Returns why an expression is not linear in the length of its text; undefined for a linear one. */
function expressionProblem(literal: string): string | undefined {
  const end = literal.lastIndexOf('/')
  const source = literal.slice(1, end)
  const flags = literal.slice(end + 1)
  if (analyse({ source, flags }).reports.length > 0) return 'two repetitions share a character'
  // A sticky expression is tried at one place only.
  if (flags.includes('y')) return undefined
  const parser = JS.Parser.fromLiteral({ source, flags })
  const { expression, maxCharacter } = parser.parse({ assertions: 'unknown', backreferences: 'unknown' })
  const isLines = flags.includes('m')
  const isRestarted = expression.alternatives.some(({ elements }) =>
    restarts({ before: [], elements, after: false }, { maxCharacter, isLines }),
  )
  return isRestarted ? 'its beginning fits into its own repetition, and each one reads to the end' : undefined
}

interface Sequence {
  before: readonly Element[]
  elements: readonly Element[]
  /** Whether something behind the sequence can refuse. */
  after: boolean
}

interface Alphabet {
  maxCharacter: number
  isLines: boolean
}

/** Returns whether a text of many beginnings makes each of them read the whole rest. */
function restarts({ before, elements, after }: Sequence, alphabet: Alphabet): boolean {
  for (const [at, element] of elements.entries()) {
    const prefix = [...before, ...elements.slice(0, at)]
    if (element.type !== 'Quantifier' && element.type !== 'Alternation') continue
    const canRefuse = after || elements.slice(at + 1).some((each) => !isOptional(each))
    const inner = element.alternatives.some((each) =>
      restarts({ before: prefix, elements: each.elements, after: canRefuse }, alphabet),
    )
    if (inner || (canRefuse && element.type === 'Quantifier' && absorbs(element, prefix, alphabet)))
      return true
  }
  return false
}

function isOptional(element: Element): boolean {
  if (element.type === 'Quantifier')
    return element.min === 0 || element.alternatives.some(({ elements }) => elements.every(isOptional))
  return (
    element.type === 'Alternation' && element.alternatives.some(({ elements }) => elements.every(isOptional))
  )
}

/** Returns whether a repetition without an end can read the beginning of the expression, with what it reads itself. */
function absorbs(quantifier: Quantifier, prefix: readonly Element[], alphabet: Alphabet): boolean {
  if (quantifier.max < repetitionsMax) return false
  const endless = { ...quantifier, min: 0, max: Number.POSITIVE_INFINITY }
  const once = { ...quantifier, min: 1, max: 1 }
  const nfaOf = (elements: readonly Element[]) =>
    NFA.fromRegex(
      { type: 'Concatenation', elements: elements.map((each) => readable(each, alphabet)) },
      { maxCharacter: alphabet.maxCharacter },
    )
  const both = NFA.fromIntersection(nfaOf([...prefix, once]), nfaOf([endless]))
  return !both.isEmpty
}

/**
 * Returns the element as an automaton can read it. The beginning of a text is at one place, so nothing can repeat it; that
 * of a line is a newline. Other assertions count as nothing: what they refuse is not needed for a warning.
 */
function readable(element: Element, alphabet: Alphabet): Element {
  const { maxCharacter, isLines } = alphabet
  if (element.type === 'Unknown' && element.id === '^') {
    if (!isLines) return { type: 'Alternation', alternatives: [] }
    return { type: 'CharacterClass', characters: CharSet.fromCharacter(maxCharacter, 0x0a) }
  }
  if (element.type === 'Unknown' || element.type === 'Assertion')
    return { type: 'Alternation', alternatives: [{ type: 'Concatenation', elements: [] }] }
  if (element.type === 'CharacterClass') return element
  const alternatives = element.alternatives.map((each) => ({
    ...each,
    elements: each.elements.map((inner) => readable(inner, alphabet)),
  }))
  return { ...element, alternatives }
}

/** Returns every problem of one source, in the order of its lines. */
export function costProblems(path: string, text: string): CostProblem[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const problems: CostProblem[] = []
  const lines = text.split('\n')
  const note = (node: ts.Node, why: string | undefined) => {
    if (why === undefined) return
    const shown = ts.isPropertyAccessExpression(node) ? node.name : node
    const { line } = source.getLineAndCharacterOfPosition(shown.getStart())
    const isBounded = lines.slice(Math.max(0, line - 2), line + 1).some((each) => marker.test(each))
    if (!isBounded) problems.push({ line: line + 1, found: shown.getText().slice(0, 100), why })
  }
  const visit = (node: ts.Node): void => {
    note(node, problemOf(path, node))
    ts.forEachChild(node, visit)
  }
  visit(source)
  return problems
}

function problemOf(path: string, node: ts.Node): string | undefined {
  if (ts.isRegularExpressionLiteral(node)) return expressionProblem(node.text)
  if (ts.isNewExpression(node) && node.expression.getText() === 'RegExp')
    return 'an expression that is built of text cannot be checked'
  const isNormalForm =
    ts.isPropertyAccessExpression(node) && node.name.text === 'normalize' && path !== normalFormFile
  return isNormalForm ? 'normalizeText of @crmkit/core is the linear way' : undefined
}

const sources = 'packages/{core,server,sdk,cli,widget,console}/src/**/*.{ts,tsx}'
/** Tests read no text of strangers; generated files repeat their sources. */
const unread = /\.test\.tsx?$|\.gen\.ts$/

/** Prints each problem below `root`, or of `only` these files, as `file:line` and returns the exit code. */
export function checkCost(root = '.', only: readonly string[] = []): number {
  const files = globSync(sources, { cwd: root }).filter(
    (path) => !unread.test(path) && (only.length === 0 || only.includes(path)),
  )
  const report = files
    .sort()
    .flatMap((path) =>
      costProblems(path, readFileSync(join(root, path), 'utf8')).map(
        ({ line, found, why }) =>
          `${path}:${line}: ${found}: ${why}; mend it, or say “bounded: why” in a comment`,
      ),
    )
  for (const line of report) process.stderr.write(`${line}\n`)
  return report.length > 0 ? 1 : 0
}
