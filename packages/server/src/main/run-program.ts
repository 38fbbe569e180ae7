import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { findOperatorCommand, operatorUsage } from '../commands/commands.ts'
import type { UpgradeEstimate } from '../ports/upgrade-estimate.ts'
import { collectPassedBytes } from '../shared/passed-bytes.ts'
import { commit, version } from '../shared/version.ts'
import { estimateUpgrade, findAnyUpgrade, lockDatabase, schemaOf } from './compose/databases.ts'
import type { PartOptions } from './compose/parts.ts'
import { composeService, type Service } from './compose/service.ts'
import { type Config, loadConfig, processVariables } from './config/config.ts'
import { ConfigError } from './config/config-error.ts'
import { type Listening, listen } from './listen.ts'
import { listenForMail } from './listen-for-mail.ts'
import { listenForMetrics } from './listen-for-metrics.ts'
import { collectEarly, releaseMemoryWhenIdle } from './release-memory.ts'
import { withUpgradeNotice } from './serve-upgrade.ts'

const usage = `crm-server start [--dev] [--no-backup]
                            serve the API and deliver webhooks
crm-server migrate [--force] [--no-backup] [--dry-run]
                            create or upgrade the database, then exit
crm-server copy --from sqlite:PATH --to mongodb://…
                            copy all data of one database to an empty one; either may be SQLite or MongoDB
${operatorUsage}

crm-server --version
crm-server --help`

const helpOfCommand: ReadonlyMap<string, string> = new Map([
  [
    'start',
    `crm-server start [--dev] [--no-backup]

Serve the API and deliver webhooks, until SIGTERM or Ctrl-C. --dev allows webhooks to this machine, on a loopback
address only. docs/reference/settings.md lists the environment variables.

An SQLite database belongs to one process: a second one is refused. Where the start upgrades it, it writes a backup beside it
before, unless --no-backup is given. The process ends with 75 after another one has upgraded its MongoDB.

Example:
  PORT=8080 crm-server start`,
  ],
  [
    'migrate',
    `crm-server migrate [--force] [--no-backup] [--dry-run]

Create or upgrade the database, then exit. A start does the same; run it alone before several processes start. On MongoDB it
refuses to make an upgrade beside processes of an earlier version that these cannot work with; --force goes on anyway. On SQLite
it refuses beside a server, and writes a backup beside the database before an upgrade, unless --no-backup is given. --dry-run
changes nothing, and says which rows an upgrade touches and, on SQLite, about how long it takes.

Example:
  CRM_DATA_DIR=/srv/crm/data crm-server migrate`,
  ],
  [
    'copy',
    `crm-server copy --from sqlite:PATH --to mongodb://…

Copy all data of one database to an empty one; either may be SQLite or MongoDB. Stop the servers on both first.

Example:
  crm-server copy --from sqlite:/srv/crm/data/crm.sqlite --to mongodb://db1,db2,db3/crm?replicaSet=rs0`,
  ],
])

/** Runs the command that the arguments name; ends the process with 1 and a sentence when it fails. */
export async function runProgram(args: string[]): Promise<void> {
  // A server has people who wait for it.
  if (args[0] !== 'start') collectEarly()
  try {
    await main(args)
  } catch (error) {
    // A sentence instead of a stack: the reader has to correct a setting, not the code.
    const problems =
      error instanceof ConfigError ? error.problems : [error instanceof Error ? error.message : String(error)]
    for (const problem of problems) process.stderr.write(`crm-server: ${problem}\n`)
    process.exit(1)
  }
}

/** `crm-server tenants list | head -1`: a reader that has enough ends no command half-way. */
function endOfReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
}

/** The help of the command that the arguments begin with; undefined for the help of all. */
function helpOf(args: readonly string[]): string | undefined {
  return findOperatorCommand(args)?.help ?? helpOfCommand.get(args[0] ?? '')
}

async function main(args: string[]): Promise<void> {
  const help = args.includes('--help') || args.includes('-h') ? helpOf(args) : undefined
  if (help !== undefined) {
    process.stdout.write(`${help}\n`)
    return
  }
  if (args[0] === 'copy') {
    const { copyCommand } = await import('../copy/copy-command.ts')
    return copyCommand(args.slice(1), processVariables(), process)
  }
  const operatorCommand = findOperatorCommand(args)
  if (operatorCommand !== undefined) {
    process.stdout.on('error', endOfReader)
    return operatorCommand.run()
  }
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      dev: { type: 'boolean', default: false },
      'dry-run': { type: 'boolean', default: false },
      force: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
      'no-backup': { type: 'boolean', default: false },
      version: { type: 'boolean', default: false },
    },
  })
  if (values.version) {
    const [sqlite, mongodb] = await Promise.all(['sqlite:', 'mongodb:'].map(schemaOf))
    const built = commit === null ? '' : `, commit ${commit}`
    process.stdout.write(`${version} (schema ${sqlite} of SQLite, ${mongodb} of MongoDB${built})\n`)
    return
  }
  const [command = values.help ? 'help' : 'start', ...rest] = positionals
  if (values.help || command === 'help') {
    process.stdout.write(`${usage}\n`)
    return
  }
  if (rest.length > 0 || (command !== 'start' && command !== 'migrate')) {
    throw new Error(`There is no command "${positionals.join(' ')}"\n${usage}`)
  }
  return command === 'migrate' ? migrateAlone(values) : start(values)
}

interface Flags {
  dev: boolean
  'dry-run': boolean
  force: boolean
  'no-backup': boolean
}

async function migrateAlone(flags: Flags): Promise<void> {
  const makesBackup = !flags['no-backup']
  if (flags['dry-run']) return dryRun(makesBackup)
  const config = loadConfig(processVariables(), { dev: flags.dev })
  const migrate = { besideEarlier: flags.force }
  const service = await composeAlone(config, { command: 'crm-server migrate', makesBackup, migrate })
  await service.stop()
}

interface AloneOptions extends Pick<PartOptions, 'migrate'> {
  command: string
  makesBackup: boolean
  /** Where the process will serve; undefined for a command that does not. */
  address?: Pick<Config, 'host' | 'port'>
}

/** Makes the service of a process that has its SQLite database to itself until it ends, upgraded after a backup. */
async function composeAlone(
  config: Config,
  { command, makesBackup, migrate, address }: AloneOptions,
): Promise<Service> {
  const lock = lockDatabase(config.databaseUrl, command)
  const compose = () => composeService(config, { hasLock: true, migrate })
  try {
    const upgrade = await findAnyUpgrade(config.databaseUrl)
    const service = await (upgrade === undefined
      ? compose()
      : withUpgradeNotice(upgrade, { address, say }, async () => {
          await announceEstimate(config.databaseUrl, makesBackup)
          // MongoDB has a tool of its own for backups.
          if (makesBackup && config.databaseUrl.startsWith('sqlite:'))
            await backUpBeforeUpgrade(config, upgrade)
          return compose()
        }))
    return { ...service, stop: () => service.stop().finally(lock.release) }
  } catch (error) {
    lock.release()
    throw error
  }
}

/** An estimate that fails ends no upgrade: it is a notice. */
async function announceEstimate(databaseUrl: string, makesBackup: boolean): Promise<void> {
  try {
    say(describeEstimate(await estimateUpgrade(databaseUrl), makesBackup))
  } catch (error) {
    say(`How long the upgrade takes is not known: ${error instanceof Error ? error.message : error}`)
  }
}

/** Says what the next upgrade does, and changes nothing. */
async function dryRun(makesBackup: boolean): Promise<void> {
  const { databaseUrl } = loadConfig(processVariables(), { dev: false, isReadOnly: true })
  process.stdout.write(`${describeEstimate(await estimateUpgrade(databaseUrl), makesBackup)}\n`)
}

function describeEstimate(estimate: UpgradeEstimate | undefined, makesBackup: boolean): string {
  if (estimate === undefined) return 'There is nothing to upgrade'
  const { from, to, rows, seconds } = estimate
  const counts = Object.entries(rows).map(([name, count]) => `${count} of ${name}`)
  const touched = counts.length === 0 ? 'no rows' : counts.join(', ')
  return `The upgrade from schema ${from} to ${to} touches ${touched}. ${durationText(seconds, makesBackup)}`
}

/** The sample is a small file: what a large table costs beyond its number of rows is not in it. */
function durationText(seconds: number | undefined, makesBackup: boolean): string {
  if (seconds === undefined) return 'Indexes are built besides; how long it takes was not measured'
  const about = Math.max(1, Math.round(seconds))
  const backup = makesBackup ? '; the backup before it comes on top' : ''
  return `By a try on a part of its rows it takes about ${about} s, more where the disk is slow or the tables are large${backup}`
}

/** Most starts upgrade nothing, and do not load what makes a backup. */
async function backUpBeforeUpgrade(config: Config, upgrade: { from: number; to: number }): Promise<void> {
  const { makeUpgradeBackup } = await import('../commands/backup/backup.ts')
  say(await makeUpgradeBackup(config, upgrade))
}

function say(sentence: string): void {
  process.stderr.write(`crm-server: ${sentence}\n`)
}

async function start(flags: Flags): Promise<void> {
  const config = loadConfig(processVariables(), { dev: flags.dev })
  const makesBackup = !flags['no-backup']
  const service = await composeAlone(config, { command: 'crm-server start', makesBackup, address: config })
  const listening = await listenAll(service, config).catch(async (error: unknown) => {
    await service.stop()
    throw error
  })
  await service.start()
  const stop = stopOnce(async () => {
    await listening.close()
    await service.stop()
  })
  process.on('SIGTERM', () => void drain(service, config).then(() => stop(0)))
  process.on('SIGINT', () => stop(0))
  void service.storage.upgraded.then(({ message }) => endUpgraded(message, stop))
  process.stdout.write(`crm-server listening on ${listening.url}\n`)
  releaseMemoryWhenIdle()
  collectPassedBytes()
  const hasTenants = await service.storage.system.hasTenants()
  if (config.needsSetupToken && config.role !== 'worker' && !hasTenants)
    process.stderr.write(setupNotice(config, { url: listening.url, token: service.tokens.setupToken() }))
  if (process.stderr.isTTY && config.role !== 'worker')
    process.stderr.write(nextSteps(config, listening.url, hasTenants))
}

/** Load balancers look every few seconds: until then connections would be refused to their requests. */
async function drain({ announceStop }: Service, { drainSeconds }: Config): Promise<void> {
  announceStop()
  if (drainSeconds > 0) await delay(drainSeconds * 1000)
}

/** Serves the API, and the metrics and the SMTP port where they are switched on: until the last request has ended. */
async function listenAll(service: Service, config: Config): Promise<Listening> {
  const opened: Listening[] = []
  const closeAll = async () => {
    for (const listening of opened.toReversed()) await listening.close()
  }
  try {
    if (config.metrics !== undefined) {
      const metrics = await listenForMetrics(service, config.metrics)
      opened.push(metrics)
      service.log.info({ url: metrics.url }, 'The metrics are served')
    }
    const mail = await listenForMail(service, config.mail.door)
    if (mail !== undefined) {
      opened.push(mail)
      service.log.info({ url: mail.url }, 'Mail is received over SMTP')
    }
    const api = await listen(service, config)
    opened.push(api)
    return { url: api.url, close: closeAll }
  } catch (error) {
    await closeAll()
    throw error
  }
}

/** Returns a function that stops once; further signals do nothing: a terminal and a parent process may both send one. */
function stopOnce(work: () => Promise<void>): (code: number) => void {
  let isStopping = false
  return (code) => {
    if (isStopping) return
    isStopping = true
    work().then(
      () => process.exit(code),
      (error: unknown) => {
        process.stderr.write(`crm-server: ${error instanceof Error ? error.message : String(error)}\n`)
        process.exit(code || 1)
      },
    )
  }
}

/** The exit code for "try again": a service manager that restarts the process starts the newer version. */
const upgradedCode = 75
/** So long every request is a 503, so that load balancers notice before connections are refused. */
const upgradedNoticeMs = 5_000
/** With the five seconds in which it notices, within thirty. */
const upgradedEndMs = 24_000

/** Ends a process under which a newer version has upgraded the database. */
function endUpgraded(sentence: string, stop: (code: number) => void): void {
  process.stderr.write(`crm-server: ${sentence}\n`)
  setTimeout(() => stop(upgradedCode), upgradedNoticeMs)
  setTimeout(() => process.exit(upgradedCode), upgradedEndMs).unref()
}

/** The reader of the server's output is its operator. The token is behind a `#`, so no log of a proxy has it. */
function setupNotice(config: Config, { url, token }: { url: string; token: string }): string {
  const address = config.baseUrl ?? url
  return config.console
    ? `Register the first team in a browser: ${address}/#setup=${token}\n`
    : `Register the first team: crm init --base-url ${address} --setup-token ${token}\n`
}

function nextSteps({ console }: Config, url: string, hasTenants: boolean): string {
  const first = hasTenants ? `login --base-url ${url}` : `init --base-url ${url}`
  return `Open ${url}${console ? '/console/' : '/'} in a browser, or in another terminal:
  npm run crm -- ${first}
  npm run crm -- customers create --first-name Ada --email ada@example.com
`
}
