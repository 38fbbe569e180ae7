import { existsSync } from 'node:fs'
import path from 'node:path'
import { compactDatabase } from '../main/compose/databases.ts'
import { loadConfig, processVariables } from '../main/config/config.ts'
import { CommandError, readArgs } from './command.ts'

/** Runs `crm-server compact`. */
export async function compact(args: string[]): Promise<void> {
  readArgs(args, { names: [], options: {} })
  const { databaseUrl } = loadConfig(processVariables(), { dev: false, isReadOnly: true })
  const file = databaseUrl.startsWith('sqlite:')
    ? path.resolve(databaseUrl.slice('sqlite:'.length))
    : undefined
  if (file !== undefined && !existsSync(file)) throw new CommandError(`There is no database ${file}`)
  const sentence = await compactDatabase(databaseUrl).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CommandError(`The database was not compacted: ${reason}`, { cause: error })
  })
  process.stderr.write(`${sentence}\n`)
}
