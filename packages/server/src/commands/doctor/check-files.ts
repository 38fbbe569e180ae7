import { accessSync, constants, statSync } from 'node:fs'
import path from 'node:path'
import type { Finding } from '../../ports/diagnosis.ts'
import { type Check, sqliteFile } from './check.ts'

/** The bits by which other users of the machine may do anything with a file. */
const othersMask = 0o077

function modeOf(file: string): number | undefined {
  const stats = statSync(file, { throwIfNoEntry: false })
  return stats && stats.mode & 0o777
}

function isOpenToOthers(file: string): boolean {
  return ((modeOf(file) ?? 0) & othersMask) !== 0
}

function octal(file: string): string {
  return `0${(modeOf(file) ?? 0).toString(8)}`
}

/** Files of customers' data and secrets. The files of a folder that is closed to others need no mode of their own. */
function folderFindings(folder: string, names: readonly string[]): Finding[] {
  if (modeOf(folder) === undefined) return []
  if (!isOpenToOthers(folder))
    return [{ outcome: 'ok', sentence: `Only its owner can open the directory ${folder}.` }]
  const open = names.map((name) => path.join(folder, name)).filter(isOpenToOthers)
  const files = open.map(
    (file): Finding => ({
      outcome: 'problem',
      sentence: `Other users of this machine can open ${file} (mode ${octal(file)}).`,
      mend: `chmod 600 ${file}`,
    }),
  )
  return [
    {
      outcome: 'warning',
      sentence: `Other users of this machine can open the directory ${folder} (mode ${octal(folder)}).`,
      mend: `chmod 700 ${folder}`,
    },
    ...files,
  ]
}

/** Folders into which the service cannot write, such as those of a file system that is mounted read-only after an error of the disk. */
function lockedFindings(folder: string): Finding[] {
  try {
    if (modeOf(folder) !== undefined) accessSync(folder, constants.W_OK)
    return []
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return [
      {
        outcome: 'problem',
        sentence: `This user cannot write into the directory ${folder} (${code}).`,
        mend: 'Make it writable for the user of the server, or mount its file system again; every change that needs it is 503 until then',
      },
    ]
  }
}

export const checkFiles: Check = {
  subject: 'files',
  run({ config }) {
    // Windows has no such modes.
    if (process.platform === 'win32') return []
    const file = sqliteFile(config)
    const database = file === undefined ? undefined : path.resolve(file)
    const own = new Map<string, string[]>([[config.dataDir, ['jwt-secret', 'secrets-key']]])
    if (database !== undefined) {
      const name = path.basename(database)
      const folder = path.dirname(database)
      own.set(folder, [...(own.get(folder) ?? []), name, `${name}-wal`, 'attachments'])
    }
    const written = [
      ...own.keys(),
      ...(database === undefined ? [] : [path.join(path.dirname(database), 'attachments')]),
    ]
    return [
      ...[...own].flatMap(([folder, names]) => folderFindings(folder, names)),
      ...written.flatMap(lockedFindings),
    ]
  },
}
