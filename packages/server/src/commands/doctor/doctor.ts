import { examineDatabase, schemaOf } from '../../main/compose/databases.ts'
import { type Config, loadConfig, processVariables } from '../../main/config/config.ts'
import { ConfigError } from '../../main/config/config-error.ts'
import type { ExaminedDatabase, Finding } from '../../ports/diagnosis.ts'
import { commit, version } from '../../shared/version.ts'
import { readArgs } from '../command.ts'
import type { Check, Examined } from './check.ts'
import { checkAttachments } from './check-attachments.ts'
import { checkDisk } from './check-disk.ts'
import { checkDoors } from './check-doors.ts'
import { checkEmails } from './check-emails.ts'
import { checkErasures } from './check-erasures.ts'
import { checkExposure } from './check-exposure.ts'
import { checkFiles } from './check-files.ts'
import { checkMail } from './check-mail.ts'
import { checkMetrics } from './check-metrics.ts'
import { checkObjectStore } from './check-object-store.ts'
import { checkRedis } from './check-redis.ts'
import { checkRows } from './check-rows.ts'
import { checkSecrets } from './check-secrets.ts'
import { checkUpgrades } from './check-upgrades.ts'
import { checkVisitors } from './check-visitors.ts'
import { checkWebhooks } from './check-webhooks.ts'
import { checkWidgets } from './check-widgets.ts'

const checks: readonly Check[] = [
  { subject: 'version', run: describeVersion },
  checkExposure,
  { subject: 'database', run: ({ database }) => database.findings },
  checkRows,
  checkUpgrades,
  checkEmails,
  checkDisk,
  checkSecrets,
  checkErasures,
  checkFiles,
  checkRedis,
  checkWebhooks,
  checkMail,
  checkDoors,
  checkWidgets,
  checkVisitors,
  checkMetrics,
  checkObjectStore,
  checkAttachments,
]

/** One line of a report of trouble that says what ran. */
async function describeVersion({ config }: Examined): Promise<readonly Finding[]> {
  const schema = await schemaOf(config.databaseUrl)
  const built = commit === null ? 'it runs from the sources' : `commit ${commit}`
  return [{ outcome: 'ok', sentence: `crm-server ${version} works with schema ${schema}; ${built}.` }]
}

interface Line extends Finding {
  subject: string
}

const options = { json: { type: 'boolean' }, all: { type: 'boolean' } } as const

/** Examines an installation without changing it, and ends with 1 when it finds a problem. */
export async function doctor(args: string[]): Promise<void> {
  const { values } = readArgs(args, { names: [], options })
  const print = values.json ? () => {} : printLine
  const lines: Line[] = []
  const note = (line: Line) => {
    lines.push(line)
    print(line)
  }
  const config = readSettings(note)
  if (config !== undefined) await examine(config, { isThorough: values.all ?? false, note })
  const isWell = lines.every(({ outcome }) => outcome !== 'problem')
  if (values.json) process.stdout.write(`${JSON.stringify({ isWell, version, findings: lines }, null, 2)}\n`)
  else process.stdout.write(summaryOf(lines))
  process.exitCode = isWell ? 0 : 1
}

/** Returns the settings; undefined when the server would refuse them, which is noted. */
function readSettings(note: (line: Line) => void): Config | undefined {
  try {
    const config = loadConfig(processVariables(), { dev: false, isReadOnly: true })
    const sentence = `The settings are valid (${config.environment}, role ${config.role}).`
    note({ subject: 'settings', outcome: 'ok', sentence })
    return config
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    for (const problem of error.problems) {
      const mend = 'Correct the setting; the other checks need it'
      note({ subject: 'settings', outcome: 'problem', sentence: `${problem}.`, mend })
    }
    return undefined
  }
}

async function examine(
  config: Config,
  { isThorough, note }: { isThorough: boolean; note: (line: Line) => void },
): Promise<void> {
  const database = await openDatabase(config, isThorough)
  try {
    for (const check of checks) {
      for (const finding of await findingsOf(check, { config, database, isThorough }))
        note({ subject: check.subject, ...finding })
    }
  } finally {
    await database.close()
  }
}

function failedFinding(what: string, error: unknown): Finding {
  const reason = error instanceof Error ? error.message : String(error)
  return {
    outcome: 'problem',
    sentence: `${what} ended early: ${reason}.`,
    mend: 'Mend what the other lines say, then run crm-server doctor again',
  }
}

async function openDatabase({ databaseUrl }: Config, isThorough: boolean): Promise<ExaminedDatabase> {
  try {
    return await examineDatabase(databaseUrl, { isThorough })
  } catch (error) {
    const findings = [failedFinding('The check of the database', error)]
    return { findings, rows: undefined, close: async () => {} }
  }
}

/** A damaged page may end any check; the others go on. */
async function findingsOf(check: Check, examined: Examined): Promise<readonly Finding[]> {
  if (check.readsRows && examined.database.isBehind)
    return [{ outcome: 'ok', sentence: 'It is examined after the upgrade of the database.' }]
  try {
    return await check.run(examined)
  } catch (error) {
    return [failedFinding(`The check of ${check.subject}`, error)]
  }
}

const marks = { ok: '✓', warning: '!', problem: '✗' } as const

function printLine({ subject, outcome, sentence, mend }: Line): void {
  const width = Math.max(...checks.map((check) => check.subject.length)) + 1
  process.stdout.write(`${marks[outcome]} ${subject.padEnd(width)} ${sentence}\n`)
  if (outcome !== 'ok' && mend !== undefined) process.stdout.write(`${' '.repeat(width + 3)}${mend}\n`)
}

function summaryOf(lines: readonly Line[]): string {
  const count = (outcome: Finding['outcome']) => lines.filter((line) => line.outcome === outcome).length
  return `Problems: ${count('problem')}, warnings: ${count('warning')}.\n`
}
