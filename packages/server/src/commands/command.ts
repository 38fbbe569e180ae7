import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { findUpgrade } from '../main/compose/databases.ts'
import { composeService, type Service } from '../main/compose/service.ts'
import { type Config, loadConfig, processVariables } from '../main/config/config.ts'
import { askSecret } from './ask-secret.ts'

/** A command that failed, in a sentence for the operator. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}

/** A row of data that a command prints: its columns by name, in their order. */
export type Row = Readonly<Record<string, string | number | null>>

/** The option of each command that prints rows. */
export const rowOptions = { json: { type: 'boolean' } } as const

export interface CommandContext {
  service: Service
  /** One line on stdout: the columns separated by tabs, or with `--json` one object. */
  print(row: Row): void
  /** A message on stderr. */
  say(sentence: string): void
}

/** Parses a command's arguments; throws when their number is not that of `names`. */
export function readArgs<O extends NonNullable<ParseArgsConfig['options']>>(
  args: string[],
  { names, options }: { names: readonly string[]; options: O },
) {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  if (positionals.length !== names.length) {
    const expected = names.length === 0 ? 'no arguments' : names.join(' ')
    throw new CommandError(`Expected ${expected}, got ${positionals.length} arguments. See crm-server --help`)
  }
  return { values, positionals }
}

export function required(value: string | undefined, flag: string): string {
  if (value === undefined || value.trim() === '') throw new CommandError(`Missing: ${flag}`)
  return value
}

/**
 * Runs a command on the database of the server, as one more process of it: a server may serve meanwhile. It hears of a
 * change immediately where they share a Redis, otherwise within 10 seconds.
 */
export async function withService(
  use: (context: CommandContext) => Promise<void>,
  { mayCreate = false, json = false }: { mayCreate?: boolean; json?: boolean | undefined } = {},
): Promise<void> {
  const config = loadConfig(processVariables(), { dev: false })
  if (!mayCreate) assertDatabase(config)
  assertUpgraded(config)
  const service = await composeService(config)
  try {
    await use({
      service,
      print: (row) => void process.stdout.write(`${json ? JSON.stringify(row) : lineOfRow(row)}\n`),
      say: (sentence) => void process.stderr.write(`${sentence}\n`),
    })
  } finally {
    await service.stop()
  }
}

function lineOfRow(row: Row): string {
  return Object.values(row)
    .map((value) => value ?? '')
    .join('\t')
}

/** A mistyped path would otherwise become an empty database. */
function assertDatabase({ databaseUrl }: Config): void {
  const file = databaseUrl.startsWith('sqlite:') ? databaseUrl.slice('sqlite:'.length) : undefined
  if (file !== undefined && !existsSync(file))
    throw new CommandError(
      `There is no database ${file}. Set CRM_DATA_DIR or CRM_DATABASE_URL as for the server`,
    )
}

/** An upgrade has its backup, and ends the server of the earlier version first: it is no side effect of another command. */
function assertUpgraded({ databaseUrl }: Config): void {
  const upgrade = findUpgrade(databaseUrl)
  if (upgrade !== undefined)
    throw new CommandError(
      `The database has schema ${upgrade.from}, and this version works with ${upgrade.to}: run crm-server migrate first`,
    )
}

const passwordMin = 10
const passwordMax = 128

/** Reads a password from a file (`-` is stdin), or asks for it on a terminal. */
export async function readPassword(file: string | undefined): Promise<string> {
  const password = file === undefined ? await askSecret('New password') : lineOf(await readGiven(file))
  if (password.length < passwordMin || password.length > passwordMax)
    throw new CommandError(`The password must have ${passwordMin} to ${passwordMax} characters`)
  return password
}

async function readGiven(file: string): Promise<string> {
  if (file === '-') return text(process.stdin)
  return readFile(file, 'utf8').catch(() => {
    throw new CommandError(`The file ${file} cannot be read`)
  })
}

function lineOf(given: string): string {
  return given.replace(/\r?\n$/, '')
}
