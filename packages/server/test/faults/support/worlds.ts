import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import Database from 'better-sqlite3'

/** The services of a run's servers. */
export interface FaultWorld {
  name: string
  /** Settings that every server process of the run gets. */
  variables: Record<string, string>
  /** Called when all processes have ended: returns contradictions between the storage and its own files. */
  integrityProblems(): Promise<string[]>
  remove(): Promise<void>
}

/** A database file in a directory of its own, or in the given one, which is then left alone. */
export function sqliteWorld(directory?: string): FaultWorld {
  const dataDir = directory ?? mkdtempSync(path.join(tmpdir(), 'crmkit-faults-'))
  return {
    name: 'sqlite',
    variables: { CRM_DATA_DIR: dataDir },
    integrityProblems: async () => {
      const db = new Database(path.join(dataDir, 'crm.sqlite'), { fileMustExist: true })
      try {
        const rows = db.pragma('integrity_check') as { integrity_check: string }[]
        const orphans = db.pragma('foreign_key_check') as unknown[]
        const problems = rows.map((row) => row.integrity_check).filter((text) => text !== 'ok')
        return orphans.length > 0 ? [...problems, `${orphans.length} rows point nowhere`] : problems
      } finally {
        db.close()
      }
    },
    remove: async () => {
      if (directory === undefined) rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
