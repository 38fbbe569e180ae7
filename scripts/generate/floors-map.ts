import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { floors, testFolders } from '../floors.ts'
import { withGeneratedPart } from './generated-part.ts'

export const mapPath = 'AGENTS.md'

/** Returns the map of the repository with the floors of `scripts/floors.ts`; the rest of it is written by hand. */
export function renderMap(root: string): string {
  const page = readFileSync(join(root, mapPath), 'utf8')
  return withGeneratedPart(page, 'floors, from scripts/floors.ts', floorsText())
}

function floorsText(): string {
  const lines = floors.map(
    ({ path, what, only }) =>
      `- ${named(path)}: ${what}${only ? ` It imports only ${only.map(named).join(', ')}.` : ''}`,
  )
  const tests = Object.entries(testFolders).map(([path, what]) => `- ${named(path)}: ${what}`)
  return `The floors of \`packages/server/src\`, from top to bottom. A floor imports floors below it and nothing else of the
server, types included; of \`x/*\`, each folder is a floor that does not see the others.

${lines.join('\n')}

The folders of \`packages/server/test\`:

${tests.join('\n')}`
}

function named(path: string): string {
  return path.endsWith('.ts') || path.endsWith('*') ? `\`${path}\`` : `\`${path}/\``
}
