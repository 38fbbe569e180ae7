// A change of a published package needs a changeset, so that its release describes the change.
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'

/** Runs git; returns undefined when git fails or is missing. */
export type Git = (...args: readonly string[]) => string | undefined

/** A file of the repository, such as openapi.json, in full. */
const outputBytesMax = 64 * 1024 * 1024

export function gitIn(directory: string): Git {
  return (...args) => {
    try {
      return execFileSync('git', args, {
        cwd: directory,
        encoding: 'utf8',
        stdio: 'pipe',
        maxBuffer: outputBytesMax,
      }).trim()
    } catch {
      return undefined
    }
  }
}

const packages = ['core', 'sdk', 'server', 'cli']

/** Sources that are published; a test changes nothing for a user. */
const published = /^packages\/(core|sdk|server|cli)\/src\/(?!.*\.(test|contract)\.ts$)/
const changeset = /^\.changeset\/(?!README\.md$)[\w-]+\.md$/

function howTo(what: string): string {
  return `${what}\nWrite .changeset/NAME.md as \`npx changeset\` does; \`npx changeset --empty\` where users notice nothing.\n`
}

/** Returns the start of the change: the commit where the branch left main; on main itself the newest commit. */
function baseOf(git: Git): string | undefined {
  const head = git('rev-parse', 'HEAD')
  const bases = ['origin/main', 'main'].map((branch) => git('merge-base', 'HEAD', branch))
  return bases.find((base) => base !== undefined && base !== '' && base !== head) ?? head
}

/** A branch, or uncommitted work on main, needs a changeset for the published sources that it changes. */
function branchProblem(git: Git): string | undefined {
  const base = baseOf(git)
  const tracked = base === undefined ? undefined : git('diff', '--name-only', base)
  if (base === undefined || tracked === undefined) return undefined
  const untracked = git('ls-files', '--others', '--exclude-standard') ?? ''
  const changed = `${tracked}\n${untracked}`.split('\n')
  const sources = changed.filter((file) => published.test(file))
  if (sources.length === 0 || changed.some((file) => changeset.test(file))) return undefined
  const more = sources.length > 3 ? ` and ${sources.length - 3} more` : ''
  return howTo(`No changeset: ${sources.slice(0, 3).join(', ')}${more} changed since ${base.slice(0, 12)}.`)
}

/** Every package whose sources changed since the last release needs a pending changeset that names it. A release writes the changelog. */
function releaseProblem(git: Git, pending: readonly string[]): string | undefined {
  const released = git('log', '-1', '--format=%H', '--', 'CHANGELOG.md')
  if (released === undefined) return undefined
  const unnamed = packages.filter((name) => {
    const changed =
      released === '' ? 'all' : git('diff', '--name-only', released, '--', `packages/${name}/src`)
    return (changed ?? '') !== '' && !pending.some((text) => text.includes(`@crmkit/${name}`))
  })
  if (unnamed.length === 0) return undefined
  const names = unnamed.map((name) => `packages/${name}`).join(', ')
  return howTo(`No changeset: ${names} changed since the last release.`)
}

/**
 * Returns the missing changesets as a text; undefined when none is missing, or when git cannot say it: without a
 * repository, or in a clone of one commit. `pending` are the texts of the changesets.
 */
export function changesetProblem(git: Git, pending: readonly string[]): string | undefined {
  return branchProblem(git) ?? releaseProblem(git, pending)
}

function readChangesets(): string[] {
  return globSync('.changeset/*.md').map((file) => readFileSync(file, 'utf8'))
}

/** Prints the missing changesets. Returns an exit code. */
export async function checkChangeset(): Promise<number> {
  const problem = changesetProblem(gitIn(process.cwd()), readChangesets())
  if (problem !== undefined) process.stderr.write(problem)
  return problem === undefined ? 0 : 1
}
