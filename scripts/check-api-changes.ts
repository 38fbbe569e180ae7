// A change of the interface that breaks a client of the last release is named in docs/breaking.json with its reason, so that nobody
// makes one unawares and the changelog can list them.
import { readFileSync } from 'node:fs'
import { type Git, gitIn } from './check-changeset.ts'
import { breakingChanges, type Document } from './compare-documents.ts'

interface Accepted {
  readonly change: string
  readonly because: string
}

interface Release {
  readonly version: string
  readonly commit: string
}

interface Found {
  /** The problems to mend; empty when all is well. */
  readonly problems: readonly string[]
  /** Why nothing was compared. */
  readonly leftOut?: string
}

export function compareWithRelease(
  git: Git,
  given: { release: Release | undefined; document: string; accepted: readonly Accepted[] },
): Found {
  const { release, document, accepted } = given
  if (release === undefined) return { problems: [], leftOut: 'docs/releases.json lists no release' }
  const { version, commit } = release
  const before = git('show', `${commit}:openapi.json`)
  if (before === undefined) {
    const leftOut = `git has no openapi.json of ${version} (${commit.slice(0, 12)}): a clone without its history, or no repository`
    return { problems: [], leftOut }
  }
  const changes = breakingChanges(JSON.parse(before) as Document, JSON.parse(document) as Document)
  const known = new Set(accepted.map(({ change }) => change))
  return {
    problems: [
      ...changes
        .filter((change) => !known.has(change))
        .map((change) => `breaks clients of ${version}: ${change}`),
      ...[...known]
        .filter((change) => !changes.includes(change))
        .map((change) => `docs/breaking.json names what is no change since ${version}: ${change}`),
    ],
  }
}

/** Prints the breaking changes since the last release that docs/breaking.json does not name. Returns an exit code. */
export async function checkApiChanges(): Promise<number> {
  const read = (file: string) => readFileSync(file, 'utf8')
  const { problems, leftOut } = compareWithRelease(gitIn(process.cwd()), {
    release: (JSON.parse(read('docs/releases.json')) as Release[]).at(-1),
    document: read('openapi.json'),
    accepted: JSON.parse(read('docs/breaking.json')) as Accepted[],
  })
  if (leftOut !== undefined) process.stdout.write(`The interface is not compared: ${leftOut}.\n`)
  for (const problem of problems) process.stderr.write(`${problem}\n`)
  if (problems.length > 0)
    process.stderr.write('Keep what clients use, or name the change in docs/breaking.json with its reason.\n')
  return problems.length === 0 ? 0 : 1
}
