import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** A folder with the sources of one state of the repository and their dependencies. */
export interface Tree {
  name: string
  folder: string
}

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
  }
  return { name: commit.slice(0, 8), folder }
}

/** Returns the path of a source of the server, which earlier commits kept in another folder. */
export function sourceOf({ folder, name }: Tree, pattern: string): string {
  const [file] = globSync(pattern, { cwd: path.join(folder, 'packages/server') })
  if (file === undefined) throw new Error(`${name} has no packages/server/${pattern}`)
  return path.join(folder, 'packages/server', file)
}
