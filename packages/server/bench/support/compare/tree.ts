import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** A folder with the sources of one state of the repository and their dependencies. */
export interface Tree {
  name: string
  folder: string
  /** Flags of Node for its services. */
  flags?: readonly string[]
}

const fetchMsMax = 60_000
const root = fileURLToPath(new URL('../../../../..', import.meta.url))
const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()

/** This folder, as it is. */
export function openThisTree(): Tree {
  const isChanged = git('status', '--porcelain') !== ''
  return { name: `${git('rev-parse', '--short=8', 'HEAD')}${isChanged ? ' and changes' : ''}`, folder: root }
}

/** The commit in a folder of its own with its own dependencies. The folder stays for the next comparison. */
export function openTreeOf(ref: string): Tree {
  const commit = git('rev-parse', '--verify', `${ref}^{commit}`)
  const folder = path.join(tmpdir(), `crmkit-compare-${commit.slice(0, 12)}`)
  if (!existsSync(folder)) {
    const unfinished = `${folder}.${process.pid}`
    try {
      mkdirSync(unfinished)
      const archive = path.join(unfinished, 'tree.tar')
      git('archive', '--output', archive, commit)
      execFileSync('tar', ['-xf', archive, '-C', unfinished])
      rmSync(archive)
      execFileSync(process.execPath, ['scripts/bootstrap.mjs', 'install'], {
        cwd: unfinished,
        stdio: ['ignore', 'inherit', 'inherit'],
      })
      renameSync(unfinished, folder)
    } finally {
      rmSync(unfinished, { recursive: true, force: true })
    }
  }
  return { name: commit.slice(0, 8), folder }
}

/** Returns whether the clone has the commit, if need be after a look at its origin: a clone may be shallow. */
export function hasCommit(commit: string): boolean {
  const isKnown = () => spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: root }).status === 0
  if (isKnown()) return true
  const fetching = ['fetch', '--quiet', '--depth=1', 'origin', commit]
  spawnSync('git', fetching, {
    cwd: root,
    timeout: fetchMsMax,
    env: { ...process.env, GIT_TERMINAL_PROMPT: '0' },
  })
  return isKnown()
}

/** Returns the path of a source of the server, which earlier commits kept in another folder. */
export function sourceOf({ folder, name }: Tree, pattern: string): string {
  const [file] = globSync(pattern, { cwd: path.join(folder, 'packages/server') })
  if (file === undefined) throw new Error(`${name} has no packages/server/${pattern}`)
  return path.join(folder, 'packages/server', file)
}
