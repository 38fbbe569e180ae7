import { cpus, release, totalmem, type } from 'node:os'
import { version } from '../../src/shared/version.ts'

/** Prints figures as a table and as one line of JSON, with the machine and the settings they were measured with. */
export function printFigures(
  name: string,
  figures: Record<string, Record<string, number | string>>,
  settings: object,
): void {
  console.table(figures)
  const date = new Date().toISOString()
  console.log(JSON.stringify({ bench: name, date, machine: describeMachine(), settings, figures }))
}

export function describeMachine() {
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    os: `${type()} ${release()}`,
    node: process.version,
    crmkit: version,
  }
}
