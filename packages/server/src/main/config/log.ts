import { getHealth, getLiveness } from '@crmkit/core'
import { type DestinationStream, type Logger, pino } from 'pino'
import type { FinishedRequest, RequestLog } from '../../ports/log.ts'
import type { Config } from './config.ts'
import type { LogLevel } from './environment.ts'

/** Names under which a secret could reach a log line. */
const secretPaths = [
  'authorization',
  'x-api-key',
  'password',
  'token',
  'accessToken',
  'refreshToken',
  'key',
  'secret',
]

/** Leaves out the extra fields of a driver's error: Redis names the refused command there, and with AUTH its password. */
function toLoggedError(error: unknown): unknown {
  if (!(error instanceof Error)) return pino.stdSerializers.err(error as Error)
  const { type, message, stack, code } = pino.stdSerializers.err(error)
  return { type, message, stack, ...(code !== undefined && { code }) }
}

/** Synchronous, so that a line about a crash is written before the process ends. */
const toStderr = () => pino.destination({ dest: 2, sync: true })

/** Logs JSON lines to stderr: stdout is only for the line with the service's address. */
export function createLog(level: LogLevel, destination: DestinationStream = toStderr()): Logger {
  const paths = secretPaths.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`])
  return pino(
    {
      level,
      base: { service: 'crmkit' },
      serializers: { err: toLoggedError },
      redact: { paths, censor: '[redacted]' },
    },
    destination,
  )
}

/** The number by which pino writes the level `info`. */
const informational = 30

/** Rewrites the JSON lines of a log for the terminal of a developer, as `lineOf` does with requests. */
export function forPeople(destination: DestinationStream): DestinationStream {
  return {
    write(json) {
      const { level, time, msg, service: _service, err, ...fields } = JSON.parse(json)
      const label = level > informational ? `${pino.levels.labels[level]}: ` : ''
      const further = Object.keys(fields).length > 0 ? ` ${JSON.stringify(fields)}` : ''
      const stack = err ? `\n${err.stack ?? err.message}` : ''
      destination.write(`${new Date(time).toTimeString().slice(0, 8)} ${label}${msg}${further}${stack}\n`)
    },
  }
}

/** JSON lines, or lines for people where a developer looks at them. */
export function stderrOf({ dev }: Pick<Config, 'dev'>): DestinationStream {
  return dev && process.stderr.isTTY ? forPeople(toStderr()) : toStderr()
}

/** So many bytes of lines are written together; fewer within `requestFlushMs`. */
const requestBatchBytes = 4_096
const requestFlushMs = 200
/** Where the reader of the log stands still, further lines are dropped before they fill the memory. */
const requestBytesMax = 8 * 1024 * 1024

/** Written together and in the background: a system call for each request would cost more than its line. */
const toStderrInBatches = () =>
  pino.destination({
    dest: 2,
    sync: false,
    minLength: requestBatchBytes,
    maxLength: requestBytesMax,
    periodicFlush: requestFlushMs,
  })

export type LogDestination = DestinationStream & { flushSync(): void }

/** Requests of load balancers and monitors, which come every few seconds. */
const healthPaths: readonly string[] = [getHealth.path, getLiveness.path]

/**
 * Logs one line for each request, at `info`, and at `debug` for requests for the health. It has no redaction: its fields
 * are ids, numbers and templates alone.
 */
export function createRequestLog(
  { logLevel, dev }: Pick<Config, 'logLevel' | 'dev'>,
  destination: LogDestination = toStderrInBatches(),
): RequestLog {
  const log = pino({ level: logLevel, base: { service: 'crmkit' } }, destination)
  const isOn = { info: log.isLevelEnabled('info'), debug: log.isLevelEnabled('debug') }
  return {
    note(request) {
      const level = healthPaths.includes(request.path) ? 'debug' : 'info'
      if (!isOn[level]) return
      if (dev) destination.write(`${lineOf(request)}\n`)
      else log[level](request, 'Request')
    },
    flush: () => destination.flushSync(),
  }
}

/** The form for a developer's terminal. */
function lineOf({ method, path, status, ms, tenantId, credentialId, requestId }: FinishedRequest): string {
  const caller = credentialId === undefined ? 'no credential' : `${tenantId} ${credentialId}`
  return `${new Date().toTimeString().slice(0, 8)} ${method} ${path} ${status} ${ms} ms ${caller} ${requestId}`
}
