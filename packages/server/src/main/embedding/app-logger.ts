/** A logger of the app, such as pino or a small object over `console`. */
export interface CrmLogger {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

const levels: readonly [least: number, name: keyof CrmLogger][] = [
  [50, 'error'],
  [40, 'warn'],
  [30, 'info'],
]

/** Returns a destination for the service's own log, after its redaction, that passes each line to the app's logger. */
export function logDestination(logger: CrmLogger): { write(line: string): void; flushSync(): void } {
  return {
    write(line) {
      const { level, msg, time: _time, service: _service, ...fields } = JSON.parse(line)
      const name = levels.find(([least]) => level >= least)?.[1] ?? 'debug'
      logger[name](fields, String(msg))
    },
    flushSync: () => undefined,
  }
}
