import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Crm, TenantExport, TenantExportPart } from '@crmkit/sdk'
import { CliError, usageError } from '../../cli-error.ts'
import type { Context } from '../../context.ts'
import { cleanLine } from '../../output/clean-text.ts'
import { counted } from '../../output/plural.ts'
import { startProgress } from '../../output/progress.ts'
import { saveStream, wholeOf } from '../../output/save-stream.ts'
import { type Client, openClient } from '../../profile/open-client.ts'
import { type PasswordOptions, readPassword } from '../../prompts/read-secret.ts'
import { spareMemory } from '../../spare-memory.ts'
import { addCommand, type NounCommand } from '../factories/add-command.ts'
import { runAction } from '../run-action.ts'

interface ExportOptions extends PasswordOptions {
  readonly files: boolean
}

const pollMs = 1_000
/** A gigabyte on a slow connection. */
const downloadMs = 60 * 60_000
const stateName = '.export.json'

export const exportTenant: NounCommand = (parent) => {
  addCommand(parent, {
    name: 'export',
    summary: 'Export your tenant into a folder',
    description:
      'Export your tenant into a folder: a package that another installation imports. Only an owner can.',
    notes:
      'The same command goes on after an interruption. The manifest names what is left out, such as passwords and keys.',
    examples: ['crm tenant export shop --no-files --password-file secret.txt'],
    options: (command) =>
      command
        .option('--no-files', 'leave the files of messages out')
        .option('--password-stdin', 'read your password from stdin (or CRM_PASSWORD)')
        .option('--password-file <file>', 'read your password from a file'),
  })
    .argument('<folder>', 'the folder of the package')
    .action((folder, options, self) =>
      runAction(self, (context) => run(context, folder, options as ExportOptions)),
    )
}

async function run(context: Context, folder: string, options: ExportOptions): Promise<void> {
  const { output } = context
  spareMemory()
  const client = await openClient(context, 'session')
  const id = (await findBegun(folder)) ?? (await begin(context, client, { folder, options }))
  const made = await untilMade(client, id)
  await assertReady(folder, made)
  const missing = await download(context, client, { folder, made })
  await rm(join(folder, stateName), { force: true })
  output.say(`Exported the tenant to ${cleanLine(folder)}: ${counted(made.partCount, 'file')}.`)
  if (missing > 0) output.say(`${counted(missing, 'file')} of messages were deleted meanwhile.`)
}

/** The export that an interrupted command has begun. */
async function findBegun(folder: string): Promise<string | undefined> {
  const text = await readFile(join(folder, stateName), 'utf8').catch(() => undefined)
  if (text !== undefined) return String(JSON.parse(text)._id)
  if (await stat(folder).catch(() => undefined))
    throw usageError(`${folder} exists already: name a new folder.`)
  return undefined
}

async function begin(
  context: Context,
  { call }: Client,
  { folder, options }: { folder: string; options: ExportOptions },
): Promise<string> {
  const currentPassword = await readPassword(context, options, { message: 'Your password', isNew: false })
  const { _id } = await call((crm) =>
    crm.tenant.createExport({ currentPassword, attachments: options.files }),
  )
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await writeFile(join(folder, stateName), JSON.stringify({ _id }), { mode: 0o600 })
  return _id
}

async function untilMade({ call }: Client, id: string): Promise<TenantExport> {
  for (;;) {
    const made = await call((crm) => crm.tenant.getExport(id))
    if (made.status !== 'queued' && made.status !== 'running') return made
    await delay(pollMs)
  }
}

async function assertReady(folder: string, { status, error }: TenantExport): Promise<void> {
  if (status === 'ready') return
  await rm(join(folder, stateName), { force: true })
  throw new CliError(cleanLine(error?.message ?? 'The parts of the export are deleted'), {
    code: cleanLine(error?.code ?? 'EXPORT_EXPIRED'),
    hint: 'Run the command again with a new folder.',
  })
}

/** Downloads what is not in the folder yet. Returns how many files of messages were deleted. */
async function download(
  { output }: Context,
  { call }: Client,
  { folder, made }: { folder: string; made: TenantExport },
): Promise<number> {
  const { readPackagePath } = await import('@crmkit/core/package')
  const progress = startProgress(output, 'file')
  let missing = 0
  try {
    for (let n = 1; n <= made.partCount; ) {
      const from = n
      const { parts } = await call((crm) => crm.tenant.getExport(made._id, { from }))
      if (parts.length === 0)
        throw new CliError('The parts of the export are deleted.', { code: 'EXPORT_EXPIRED' })
      for (const part of parts) {
        const place = readPackagePath(part.name)
        // The name is external data.
        if (place === undefined) throw new CliError('A part has a wrong name.', { code: 'EXPORT_DAMAGED' })
        const number = n
        n += 1
        const path = join(folder, part.name)
        if (await isThere(path, part)) continue
        const fetch = (crm: Crm) => savePart(crm, { path, part, id: made._id, number })
        const isGone = await call(fetch).then(
          () => false,
          (error: { status?: number }) => {
            if (place.type !== 'bytes' || error.status !== 404) throw error
            return true
          },
        )
        if (isGone) missing += 1
        progress.update(n - 1, { total: made.partCount })
      }
    }
  } finally {
    progress.end()
  }
  return missing
}

async function isThere(path: string, { size, sha256 }: TenantExportPart): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  return found?.size === size && (await digestOf(path)) === sha256
}

interface PartToSave {
  readonly path: string
  readonly part: TenantExportPart
  readonly id: string
  readonly number: number
}

async function savePart(crm: Crm, { path, part, id, number }: PartToSave): Promise<void> {
  const response = await crm.tenant.getExportPart(id, String(number), {
    timeout: downloadMs,
    deadline: downloadMs,
  })
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await saveStream({ path, mayReplace: true }, wholeOf(response))
  if (await isThere(path, part)) return
  await rm(path, { force: true })
  throw new CliError(`${part.name} arrived with other bytes.`, { code: 'EXPORT_DAMAGED', hint: 'Try again.' })
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash.digest('hex')
}
