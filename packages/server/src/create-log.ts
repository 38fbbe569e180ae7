import { type Logger, pino } from 'pino'
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

/** JSON lines on stderr: stdout belongs to the one line that says where the service listens. */
export function createLog(level: LogLevel): Logger {
  const paths = secretPaths.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`])
  // Synchronous: a line about a crash must be out before the process is.
  return pino(
    { level, base: { service: 'crmkit' }, redact: { paths, censor: '[redacted]' } },
    pino.destination({ dest: 2, sync: true }),
  )
}
