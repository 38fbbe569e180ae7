import { existsSync, statfsSync } from 'node:fs'
import path from 'node:path'
import { examineReserve } from '../../main/compose/databases.ts'
import type { Finding } from '../../ports/diagnosis.ts'
import { type Check, sqliteFile } from './check.ts'

const megabyte = 1024 * 1024
/** SQLite needs space for its log before it can shrink anything. */
const freeMin = 100 * megabyte
const freeRecommended = 1024 * megabyte

function sizeText(bytes: number): string {
  return bytes >= 10 * 1024 * megabyte
    ? `${Math.floor(bytes / (1024 * megabyte))} GB`
    : `${Math.floor(bytes / megabyte)} MB`
}

/** Judges the free space of the file system of a folder. */
export function spaceFinding(folder: string, freeBytes: number): Finding {
  const sentence = `The disk of ${folder} has ${sizeText(freeBytes)} free.`
  if (freeBytes >= freeRecommended) return { outcome: 'ok', sentence }
  const mend = 'Free or add disk space: a full disk refuses every change with 503'
  return { outcome: freeBytes < freeMin ? 'problem' : 'warning', sentence, mend }
}

export const checkDisk: Check = {
  subject: 'disk',
  run({ config, database }) {
    const file = sqliteFile(config)
    const folders = [config.dataDir, ...(file === undefined ? [] : [path.dirname(path.resolve(file))])]
    const spaces = [...new Set(folders)].map((folder): Finding => {
      if (!existsSync(folder)) {
        return {
          outcome: 'warning',
          sentence: `There is no data directory ${folder} yet: the first start creates it.`,
          mend: 'Where there was one, set CRM_DATA_DIR as for the server',
        }
      }
      const { bavail, bsize } = statfsSync(folder)
      return spaceFinding(folder, bavail * bsize)
    })
    // Before the first start there is no database, and no reserve.
    if (file === undefined || database.rows === undefined) return spaces
    return [...spaces, examineReserve(path.dirname(path.resolve(file)))]
  },
}
