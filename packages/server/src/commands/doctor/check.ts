import type { Config } from '../../main/config/config.ts'
import type { ExaminedDatabase, Finding } from '../../ports/diagnosis.ts'

/** The input of every check. */
export interface Examined {
  config: Config
  database: ExaminedDatabase
  /** Reads everything, instead of what takes seconds. */
  isThorough: boolean
}

/** The check of one subject. It changes nothing. */
export interface Check {
  /** One word for the list. */
  subject: string
  /** Reads rows, so it waits for the upgrade of a database of an earlier version, whose tables it does not know. */
  readsRows?: true
  run(examined: Examined): Promise<readonly Finding[]> | readonly Finding[]
}

/** Returns the path of the database file; undefined with MongoDB. */
export function sqliteFile({ databaseUrl }: Config): string | undefined {
  return databaseUrl.startsWith('sqlite:') ? databaseUrl.slice('sqlite:'.length) : undefined
}
