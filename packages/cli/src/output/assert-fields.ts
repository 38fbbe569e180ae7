import { usageError } from '../cli-error.ts'
import { cleanLine } from './clean-text.ts'
import type { Output } from './output.ts'

/**
 * Refuses a field of `--json a,b.c` that no reply has, before anything is sent: a script that sees the failure may repeat
 * the command, and a change must not be made twice.
 */
export function assertFields({ json }: Pick<Output, 'json'>, reply: readonly string[] | undefined): void {
  if (!Array.isArray(json) || reply === undefined) return
  const unknown = json.filter((field: string) => !reply.includes(field.split('.', 1)[0] ?? ''))
  if (unknown.length === 0) return
  throw usageError(
    `There is no field ${unknown.map(cleanLine).join(', ')}.`,
    `Fields: ${reply.join(', ')}. Nothing was sent.`,
  )
}
