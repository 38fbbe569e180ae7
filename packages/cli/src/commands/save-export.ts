import { pipeline } from 'node:stream/promises'
import { Option } from '@commander-js/extra-typings'
import type { Crm } from '@crmkit/sdk'
import { usageError } from '../cli-error.ts'
import type { Context } from '../context.ts'
import { cleanLine } from '../output/clean-text.ts'
import { assertMaySave, saveStream, wholeOf } from '../output/save-stream.ts'
import { openClient } from '../profile/open-client.ts'

const formats = ['json', 'csv'] as const
type Format = (typeof formats)[number]

export const formatOption = () =>
  new Option('--format <format>', 'the format of the file').choices(formats).default('json' as const)
export const outOption = () =>
  new Option('--out <file>', 'write to this file, readable only by you; default: stdout')
export const forceOption = () => new Option('--force', 'overwrite the file')

interface ExportRequest {
  readonly format: Format
  readonly out?: string | undefined
  readonly force?: boolean | undefined
  readonly fetch: (crm: Crm, query: { readonly format: Format }) => Promise<Response>
}

/** Downloads personal data into a file, or to stdout. */
export async function saveExport(
  context: Context,
  { format, out, force = false, fetch }: ExportRequest,
): Promise<void> {
  const { output } = context
  // External text could contain escape sequences that control the terminal.
  if (out === undefined && output.isTerminal) {
    throw usageError('A terminal cannot show an export: use --out, or redirect stdout.')
  }
  if (out !== undefined) assertMaySave({ path: out, mayReplace: force })
  const client = await openClient(context, 'session')
  const bytes = wholeOf(await client.call((crm) => fetch(crm, { format })))
  if (out === undefined) return pipeline(bytes, process.stdout)
  await saveStream({ path: out, mayReplace: force }, bytes)
  output.say(`Saved ${cleanLine(out)}.`)
}
