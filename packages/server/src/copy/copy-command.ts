import { existsSync } from 'node:fs'
import path from 'node:path'
import { openAttachmentsBeside, openTransferSource, openTransferTarget } from '../main/compose/databases.ts'
import type { Variables } from '../main/config/config.ts'
import { ledgerBeside, ledgerName } from '../main/config/ledger-variables.ts'
import { readCopyAddresses } from './copy-addresses.ts'
import type { BytesCopy } from './copy-bytes.ts'
import { createProgressLine, type ProgressOutput } from './progress-line.ts'
import { runCopy } from './run-copy.ts'

export interface CopyOutputs {
  stdout: ProgressOutput
  stderr: ProgressOutput
}

/** Removes the addresses from an error: drivers repeat an address that they cannot parse, and it may hold a password. */
function withoutSecrets(error: unknown, addresses: readonly string[]): Error {
  const message = error instanceof Error ? error.message : String(error)
  const secret = addresses.filter((address) => /[@?]/.test(address) && !address.startsWith('sqlite:'))
  const safe = secret.reduce((text, address) => text.replaceAll(address, '(the address)'), message)
  return new Error(safe, { cause: error })
}

/** Returns how a server on the target gets a secret: by the file that the source's server has generated, if any. */
function secretLine(from: string, { variable, name }: { variable: string; name: string }): string {
  const file = path.join(path.dirname(path.resolve(from.slice('sqlite:'.length))), name)
  const isMade = from.startsWith('sqlite:') && existsSync(file)
  return isMade ? `${variable}_FILE=${file}` : `${variable}, as the source's servers had it`
}

function closingLines(from: string, place: string | undefined): string {
  return `
The copy is complete. Start servers on it by its address in CRM_DATABASE_URL, and with the same two secrets as before:
  ${secretLine(from, { variable: 'CRM_JWT_SECRET', name: 'jwt-secret' })}
  ${secretLine(from, { variable: 'CRM_SECRETS_KEY', name: 'secrets-key' })}
The first keeps sessions signed in, the second keeps webhooks signed. Start no server on the source again.
${ledgerLines(from)}
${place === undefined ? '' : placeLine(place)}`
}

function placeLine(place: string): string {
  const [path] = place.split('?', 1)
  return `The files in ${path} stay there: start the servers with the same CRM_ATTACHMENTS and CRM_ATTACHMENTS_KEY.\n`
}

/** The ledger is in no database. The first start erases what the copied data does not know, before its first request. */
function ledgerLines(from: string): string {
  const file = ledgerBeside(from)
  const isThere = file !== undefined && existsSync(file)
  return `The ledger of erasures is a file of its own: ${isThere ? `CRM_ERASURE_LEDGER=${file}` : `set CRM_ERASURE_LEDGER, or move ${ledgerName}`}, so that what was erased stays
erased. The first start applies what the copied data does not know yet, before its first request.`
}

async function withBytes(
  { from, to, hasPlace }: Record<'from' | 'to', string> & { hasPlace: boolean },
  use: (bytes: BytesCopy) => Promise<void>,
): Promise<void> {
  const bytes = { from: await openAttachmentsBeside(from), to: await openAttachmentsBeside(to), hasPlace }
  try {
    await use(bytes)
  } finally {
    await Promise.all([bytes.from.close(), bytes.to.close()])
  }
}

/** Runs `crm-server copy`: copies every row, and the bytes of attachments, from one database to another. */
export async function copyCommand(
  args: string[],
  variables: Variables,
  { stdout, stderr }: CopyOutputs,
): Promise<void> {
  const { from, to } = readCopyAddresses(args, variables)
  const place = variables['CRM_ATTACHMENTS'] || undefined
  const stop = new AbortController()
  const onSignal = () => stop.abort()
  process.once('SIGINT', onSignal)
  process.once('SIGTERM', onSignal)
  const progress = createProgressLine(stderr)
  try {
    const source = await openTransferSource(from)
    try {
      const target = await openTransferTarget(to)
      try {
        progress.say(`Copies ${source.address} to ${target.address}.`)
        const print = (text: string) => void stdout.write(text)
        await withBytes({ from, to, hasPlace: place !== undefined }, (bytes) =>
          runCopy({ source, target, bytes, progress, signal: stop.signal, print }),
        )
        print(closingLines(from, place))
      } finally {
        progress.end()
        await target.close()
      }
    } finally {
      await source.close()
    }
  } catch (error) {
    throw withoutSecrets(error, [from, to])
  }
}
