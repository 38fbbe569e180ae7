import { parseArgs } from 'node:util'
import { findOperatorCommand, operatorUsage } from '../commands/commands.ts'
import { version } from '../shared/version.ts'
import { composeService, type Service } from './compose/service.ts'
import { type Config, loadConfig, processVariables } from './config/config.ts'
import { ConfigError } from './config/config-error.ts'
import { type Listening, listen } from './listen.ts'
import { listenForMail } from './listen-for-mail.ts'
import { listenForMetrics } from './listen-for-metrics.ts'
import { releaseMemoryWhenIdle } from './release-memory.ts'

const usage = `crm-server start [--dev]   serve the API and deliver webhooks
crm-server migrate [--force]
                            create or upgrade the database, then exit
crm-server copy --from sqlite:PATH --to mongodb://…
                            copy all data of one database to an empty one; either may be SQLite or MongoDB
${operatorUsage}

crm-server --version
crm-server --help`

const helpOfCommand: ReadonlyMap<string, string> = new Map([
  [
    'start',
    `crm-server start [--dev]

Serve the API and deliver webhooks, until SIGTERM or Ctrl-C. --dev allows webhooks to this machine, on a loopback
address only. docs/reference/settings.md lists the environment variables.

Example:
  PORT=8080 crm-server start`,
  ],
  [
    'migrate',
    `crm-server migrate [--force]

Create or upgrade the database, then exit. A start does the same; run it alone before several processes start. On MongoDB it
refuses to upgrade beside processes of an earlier version; --force goes on anyway.

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
  if (operatorCommand !== undefined) return operatorCommand.run()
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      dev: { type: 'boolean', default: false },
      force: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
      version: { type: 'boolean', default: false },
    },
  })
  if (values.version) {
    process.stdout.write(`${version}\n`)
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
  const config = loadConfig(processVariables(), { dev: values.dev })
  if (command === 'migrate') {
    const service = await composeService(config, { migrate: { besideEarlier: values.force } })
    await service.stop()
    return
  }
  await start(config)
}

async function start(config: Config): Promise<void> {
  const service = await composeService(config)
  const listening = await listenAll(service, config).catch(async (error: unknown) => {
    await service.stop()
    throw error
  })
  await service.start()
  const stop = stopOnce(async () => {
    await listening.close()
    await service.stop()
  })
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  process.stdout.write(`crm-server listening on ${listening.url}\n`)
  releaseMemoryWhenIdle()
  if (process.stderr.isTTY && config.role !== 'worker')
    process.stderr.write(nextSteps(config, listening.url, await service.storage.system.hasTenants()))
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
function stopOnce(work: () => Promise<void>): () => void {
  let isStopping = false
  return () => {
    if (isStopping) return
    isStopping = true
    work().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`crm-server: ${error instanceof Error ? error.message : String(error)}\n`)
        process.exit(1)
      },
    )
  }
}

function nextSteps({ console }: Config, url: string, hasTenants: boolean): string {
  const first = hasTenants ? `login --base-url ${url}` : `init --base-url ${url}`
  return `Open ${url}${console ? '/console/' : '/'} in a browser, or in another terminal:
  npm run crm -- ${first}
  npm run crm -- customers create --first-name Ada --email ada@example.com
`
}
