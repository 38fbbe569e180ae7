import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

// Statements of the documents about what is there. A status in prose goes stale in silence, so the code is asked.

const root = join(import.meta.dirname, '../../../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const documents = globSync('**/*.md', { cwd: root, exclude: ['**/node_modules', 'docs/adr', '.changeset'] })

/** Sentences that say that something is missing and are true, by the words that begin them. */
const trueStatements: readonly string[] = [
  'A later `v2` is announced and not yet available',
  'its data is hidden, and not yet deleted',
]

function statusesIn(text: string): string[] {
  const lines = text.split('\n').filter((line) => /\bnot (?:built|served|yet)\b|\bcomes? later\b/i.test(line))
  return lines.filter((line) => !trueStatements.some((words) => line.includes(words)))
}

/** Returns the words that a text does not contain, in any case. */
function missingFrom(text: string, words: readonly string[]): string[] {
  return words.filter((word) => !text.toLowerCase().includes(word.toLowerCase()))
}

describe('the documents', () => {
  it('say of nothing that it is not built: what is missing has no row, and what is built is described', () => {
    const stale = documents.flatMap((path) => statusesIn(read(path)).map((line) => `${path}: ${line}`))
    expect(stale).toEqual([])
    expect(statusesIn('| Chat widget | not yet |')).toHaveLength(1)
  })

  it('name every subject of doctor in the table of operating.md', () => {
    const subjects = globSync('packages/server/src/commands/doctor/*.ts', { cwd: root }).flatMap((path) =>
      [...read(path).matchAll(/subject: '(\w+)'/g)].map(([, subject = '']) => `| \`${subject}\` |`),
    )
    expect(subjects.length).toBeGreaterThan(8)
    expect(missingFrom(read('docs/operating.md'), subjects)).toEqual([])
  })
})
