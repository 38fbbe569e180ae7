import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { buffer as bufferOf } from 'node:stream/consumers'
import { type CommandUnknownOpts, InvalidArgumentError, Option } from '@commander-js/extra-typings'
import { usageError } from '../../cli-error.ts'
import type { Context } from '../../context.ts'
import { exitCodes } from '../../exit-codes.ts'
import { cleanLine } from '../../output/clean-text.ts'
import { printJson } from '../../output/print-json.ts'
import { readGivenFile, readStdinSecret } from '../../prompts/read-secret.ts'
import { examples, runAction } from '../run-action.ts'
import { parseHeaders, splitHeader } from './parse-headers.ts'
import { diagnose, type NamedSecret } from './verify-delivery.ts'

interface VerifyOptions {
  readonly secretFile?: readonly string[] | undefined
  readonly secretStdin?: true | undefined
  readonly bodyFile?: string | undefined
  readonly headersFile?: string | undefined
  readonly header?: Readonly<Record<string, string>> | undefined
  readonly signature?: string | undefined
  readonly id?: string | undefined
  readonly timestamp?: string | undefined
}

export function defineVerifyWebhook(webhooks: CommandUnknownOpts): void {
  webhooks
    .command('verify')
    .summary('Find out why the signature of a delivery does not match')
    .description(
      'Check a saved delivery and report the most likely problem. Nothing is sent. The exit code is 1 when the delivery is not valid.',
    )
    .option(
      '--secret-file <file>',
      'a signing secret; can be given several times (or CRM_WEBHOOK_SECRET)',
      addFile,
    )
    .option('--secret-stdin', 'read the signing secret from stdin')
    .option('--body-file <file>', 'the raw body; default: stdin')
    .option('--headers-file <file>', 'the headers, one "Name: value" a line')
    .option('-H, --header <header>', 'one header, "Name: value"; can be given several times', addHeader)
    .addOption(new Option('--signature <text>', 'webhook-signature (v1,…) or X-Webhook-Signature (sha256=…)'))
    .option('--id <id>', 'webhook-id')
    .option('--timestamp <seconds>', 'webhook-timestamp')
    .addHelpText(
      'after',
      examples(
        'crm webhooks verify --secret-file shop.secret --headers-file delivery.headers < delivery.body',
        'crm webhooks verify --secret-file shop.secret --signature "$(cat delivery.sha256)" --body-file delivery.body',
      ),
    )
    .action((options, self) => runAction(self, (context) => verifyWebhook(context, options)))
}

async function verifyWebhook({ environment, output }: Context, options: VerifyOptions): Promise<void> {
  if (options.secretStdin && options.bodyFile === undefined) {
    throw usageError('--secret-stdin uses stdin: give the body with --body-file.')
  }
  const secrets = await readSecrets(options, environment.webhookSecret)
  const headers = await readHeaders(options)
  const body =
    options.bodyFile === undefined ? await bufferOf(process.stdin) : await readBytes(options.bodyFile)
  if (body.length === 0) throw usageError('The body is empty: give it with --body-file or on stdin.')
  const diagnosis = await diagnose({ body, headers, secrets }, Date.now())
  const { isValid, cause, explanation, advice } = diagnosis
  if (output.json) printJson(output, diagnosis)
  else if (output.isQuiet || !output.isTerminal) output.print(isValid ? 'valid' : cause)
  if (!output.json) {
    output.say(output.style(isValid ? 'green' : 'red', cleanLine(explanation)))
    if (advice !== null) output.say(cleanLine(advice))
  }
  if (!isValid) process.exitCode = exitCodes.failure
}

async function readSecrets(
  { secretFile, secretStdin }: VerifyOptions,
  fromEnvironment: string | undefined,
): Promise<NamedSecret[]> {
  const files = await Promise.all(
    (secretFile ?? []).map(async (path) => ({
      name: basename(path),
      text: withoutLineEnd(await readGivenFile(path)),
    })),
  )
  if (secretStdin) files.push({ name: 'stdin', text: await readStdinSecret('--secret-stdin') })
  if (files.length === 0 && fromEnvironment) files.push({ name: 'CRM_WEBHOOK_SECRET', text: fromEnvironment })
  if (files.length > 0) return files
  throw usageError('Missing: --secret-file (or --secret-stdin, CRM_WEBHOOK_SECRET).')
}

function withoutLineEnd(text: string): string {
  return text.replace(/\r?\n$/, '')
}

async function readHeaders(options: VerifyOptions): Promise<Record<string, string>> {
  const { headersFile, header, signature, id, timestamp } = options
  const fromFile =
    headersFile === undefined ? {} : parseHeaders(await readGivenFile(headersFile), '--headers-file')
  const lowered = Object.entries({ ...fromFile, ...header }).map(([name, value]) => [
    name.toLowerCase(),
    value,
  ])
  const headers: Record<string, string> = Object.fromEntries(lowered)
  if (id !== undefined) headers['webhook-id'] = id
  if (timestamp !== undefined) headers['webhook-timestamp'] = timestamp
  if (signature !== undefined) {
    const isPlain = signature.startsWith('sha256=') || (id === undefined && /^[\da-f]{64}$/i.test(signature))
    headers[isPlain ? 'x-webhook-signature' : 'webhook-signature'] = signature.trim()
  }
  return headers
}

async function readBytes(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path)
  } catch {
    throw usageError(`The file ${path} cannot be read.`)
  }
}

function addFile(path: string, previous: readonly string[] | undefined): string[] {
  return [...(previous ?? []), path]
}

function addHeader(text: string, previous: Record<string, string> | undefined): Record<string, string> {
  const header = splitHeader(text)
  if (header === undefined) throw new InvalidArgumentError('Expected "Name: value".')
  return { ...previous, [header[0]]: header[1] }
}
