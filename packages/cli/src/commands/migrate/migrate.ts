import { resolve } from 'node:path'
import { CliError, usageError } from '../../cli-error.ts'
import type { Context } from '../../context.ts'
import { exitCodes } from '../../exit-codes.ts'
import type { Reader, SourceAccount } from '../../migrate/reader.ts'
import type { ReaderResult } from '../../migrate/run-reader.ts'
import { cleanLine } from '../../output/clean-text.ts'
import type { Column } from '../../output/column.ts'
import { isForPeople } from '../../output/output.ts'
import { counted } from '../../output/plural.ts'
import { printJson } from '../../output/print-json.ts'
import { printAll } from '../../output/print-list.ts'
import { startProgress } from '../../output/progress.ts'
import { readSecretFile } from '../../prompts/read-secret.ts'
import { spareMemory } from '../../spare-memory.ts'
import type { ProductName } from '../migrate.ts'

interface MigrateRequest {
  readonly folder: string
  /** Each product has some of the options. */
  readonly options: {
    readonly url?: string
    readonly email?: string
    readonly account?: string
    readonly sync?: boolean
    readonly dump?: string
    readonly storage?: string
  }
}

/** A reader is loaded when it is used: its schemas take longer to load than all the rest. */
const readers: Readonly<Record<ProductName, () => Promise<Reader>>> = {
  chatwoot: async () => (await import('../../migrate/chatwoot/chatwoot-reader.ts')).chatwootReader,
  intercom: async () => (await import('../../migrate/intercom/intercom-reader.ts')).intercomReader,
  zendesk: async () => (await import('../../migrate/zendesk/zendesk-reader.ts')).zendeskReader,
}

/** A pause that a person wonders about. */
const longWaitMs = 5_000

export async function migrate(
  context: Context,
  product: ProductName,
  { folder, options }: MigrateRequest,
): Promise<void> {
  const { url = '', email, account, sync = false, dump, storage } = options
  assertTogether(options)
  const { output, environment } = context
  spareMemory()
  const namedHosts = new Set(environment.connectorHosts)
  const base = baseOf(url, namedHosts)
  // A dump is a file of one's own: nobody is asked.
  const token = dump === undefined ? await readToken(context) : ''
  const reader = dump === undefined ? await readers[product]() : await readerOfDump({ file: dump, storage })
  const source: SourceAccount = { base, token, email, account }
  const { runReader } = await import('../../migrate/run-reader.ts')
  let progress = startProgress(output, 'record')
  const result = await runReader({
    reader,
    folder: resolve(folder),
    account: source,
    sync,
    namedHosts,
    hasProxy: environment.hasProxy,
    onRecord: (total, label) => progress.update(total, { label }),
    onStep: (step) => {
      progress.end()
      output.say(`${step} …`)
      progress = startProgress(output, 'record')
    },
    onWait: (ms) => {
      if (ms < longWaitMs) return
      progress.end()
      output.say(`${reader.productName} asks for a pause of ${Math.ceil(ms / 1000)} s.`)
    },
  }).finally(() => progress.end())
  if (result === undefined) {
    output.say(`${cleanLine(folder)} is complete. With --sync a further pass reads what changed since.`)
    return
  }
  await show(context, result)
}

function assertTogether({ sync, dump, storage }: MigrateRequest['options']): void {
  if (dump !== undefined && sync)
    throw usageError('--sync reads what changed from the account itself: leave --dump out.')
  if (dump === undefined && storage !== undefined)
    throw usageError('--storage is the folder of files of --dump.')
}

async function readerOfDump(dump: { file: string; storage: string | undefined }): Promise<Reader> {
  return (await import('../../migrate/chatwoot/dump/dump-reader.ts')).dumpReader(dump)
}

/** An address over TLS, except for the hosts that the environment names. */
function baseOf(text: string, namedHosts: ReadonlySet<string>): URL {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) throw usageError('--url must be an https address.')
  if (url.username !== '' || url.password !== '') throw usageError('--url must not hold a password.')
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  if (url.protocol === 'http:' && !namedHosts.has(`${url.hostname}:${port}`))
    throw usageError('--url must be an https address, so that nobody on the way reads the token.')
  url.search = ''
  url.hash = ''
  if (!url.pathname.endsWith('/')) url.pathname += '/'
  return url
}

const tokenNames = 'CRM_MIGRATE_TOKEN (or CRM_MIGRATE_TOKEN_FILE)'

async function readToken({ environment, prompter }: Context): Promise<string> {
  const token = await givenToken(environment)
  if (token === undefined) prompter.requireValues({ [tokenNames]: undefined })
  const text = (token ?? (await prompter.secret('Token of the account'))).trim()
  // Anything else would end the header that it is sent in.
  if (!/^[\x21-\x7e]+$/.test(text))
    throw new CliError('The token has characters that no token has.', {
      code: 'SOURCE_CREDENTIAL',
      exitCode: exitCodes.credential,
    })
  return text
}

async function givenToken({
  migrateToken,
  migrateTokenFile,
}: Context['environment']): Promise<string | undefined> {
  if (migrateToken !== undefined || migrateTokenFile === undefined) return migrateToken
  return readSecretFile(migrateTokenFile, 'CRM_MIGRATE_TOKEN_FILE')
}

interface KindRow {
  readonly kind: string
  readonly records: number
  readonly leftOut: number | null
}

const columns: readonly Column<KindRow>[] = [
  { title: 'Kind', value: (row) => row.kind, isMain: true },
  { title: 'In the package', value: (row) => row.records },
  { title: 'Left out', value: (row) => row.leftOut, textForPeople: (row) => row.leftOut ?? 'unknown' },
]

/** Shows what the package holds, and what it lacks. */
async function show({ output }: Context, { folder, manifest }: ReaderResult): Promise<void> {
  const { counts, leftOut = [], source, since = null, complete = false } = manifest
  if (output.json) return printJson(output, { folder, source, since, complete, counts, leftOut })
  const kinds = [...new Set([...Object.keys(counts), ...leftOut.map(({ kind }) => kind)])]
  const rows = kinds.map((kind) => {
    const left = leftOut.filter((one) => one.kind === kind).map(({ count }) => count)
    const sum = left.reduce<number>((all, count) => all + (count ?? 0), 0)
    return { kind, records: counts[kind]?.total ?? 0, leftOut: left.includes(null) ? null : sum }
  })
  await printAll(output, { rows, columns, quiet: ({ kind }) => kind })
  for (const { kind, count, reason } of leftOut)
    output.say(`Left out: ${cleanLine(kind)}, ${count ?? 'an unknown number'}: ${cleanLine(reason)}.`)
  const records = rows.reduce((sum, row) => sum + row.records, 0)
  output.say(`${isForPeople(output) ? '\n' : ''}${counted(records, 'record')} in ${cleanLine(folder)}.`)
}
