import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { checkLanguage, languageProblems } from './check-language.ts'

const found = (path: string, text: string) => languageProblems(path, text).map((problem) => problem.found)

const headless = [
  '/** What the service asks of a database. */',
  '// Whoever calls it waits.',
  '// One fact.\n// Those of the ids that exist.',
  '/**\n * A first sentence. Which of\n * the two wins is random.\n */',
  'function f() {\n  return 1\n  // Whose turn comes last.\n}',
  "it('what the caller sees', run)",
  'const summary = "Who may call an operation"',
]

const replaced = [
  'answers a request',
  'the answer is late',
  'the row is gone',
  'out of sight',
  'a look for due work: it looks for due work',
  'look at once',
  'it is just now open',
  'a lost race',
  'it races on',
  'the tenant’s lane',
  'they take turns',
  'there is room',
  'an heir',
  'its belongings',
  'the cursor was made up',
  'a customer of elsewhere',
  'it tells the caller',
  'told apart',
  'a retry in vain',
  'kept for ever',
  'sent all the same',
  'it is nobody’s',
  'aborted again and again',
  'rows of a foreign CRM',
]

describe('the language check', () => {
  it.each(headless)('refuses a sentence without a subject: %j', (text) => {
    expect(languageProblems('a.ts', text).map(({ better }) => better)).toContain(
      'begin with the subject’s name',
    )
  })

  it.each(replaced)(
    'refuses the replaced word of “%s” in comments, strings, template texts and prose',
    (words) => {
      for (const [path, text] of [
        ['a.ts', `// Here ${words}.\n`],
        ['a.ts', `/** Here ${words}. */\nconst x = 1`],
        ['a.ts', `throw new Error('here ${words}')`],
        ['a.ts', `log(\`\${count} here ${words}\`)`],
        ['a.md', `Here ${words}.\n`],
      ] as const) {
        expect(found(path, text), text).not.toEqual([])
      }
    },
  )

  it.each(['tenantLane', 'lanes', 'heirOf', 'stopRemains'])('refuses the name %s', (name) => {
    expect(found('a.ts', `const ${name} = 1`)).toEqual([name])
  })

  it.each([
    '// Which one is it?\n',
    '/** Returns the rows which the caller may see. What follows? */',
    '// `lane` is a column\n',
    "const kind = 'lane'",
    '// The planet explains the airplane.',
    "emit('call.answered', 'call.answered')",
    'const theirs = planes',
    'const question = "What is your e-mail?"',
  ])('accepts questions, code, single words and parts of other words: %j', (text) => {
    expect(found('a.ts', text)).toEqual([])
  })

  it('accepts fenced and inline code and the addresses of links in a document', () => {
    expect(found('a.md', 'Run `lane`, or [read](answers.md).\n\n```ts\nlane()\n```\n')).toEqual([])
  })

  it('names the line of a finding', () => {
    expect(languageProblems('a.md', 'One.\n\nTwo\nlanes.\n')).toEqual([
      { line: 4, found: 'lanes', better: expect.stringContaining('queue') },
    ])
  })

  it('fails with file and line for a tree that holds one replaced word', () => {
    const root = mkdtempSync(join(tmpdir(), 'language-'))
    const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    try {
      mkdirSync(join(root, 'packages/new/src'), { recursive: true })
      writeFileSync(join(root, 'packages/new/src/a.ts'), '// Fine.\n\n// It tells.\n')
      expect(checkLanguage(root)).toBe(1)
      expect(stderr).toHaveBeenCalledWith(expect.stringContaining('packages/new/src/a.ts:3: “tells”'))
    } finally {
      stderr.mockRestore()
      rmSync(root, { recursive: true })
    }
  })
})
