import { type DestinationStream, type Logger, pino } from 'pino'
import type { LogLevel } from './config.ts'

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
