import { styleText } from 'node:util'
import { CommanderError } from '@commander-js/extra-typings'
import type { ApiError, CrmError } from '@crmkit/sdk'
import { CliError } from './cli-error.ts'
import { readEnvironment } from './config.ts'
import { exitCodeOfStatus, exitCodes } from './exit-codes.ts'
import { cleanLine, escapeJsonText } from './output/clean-text.ts'

interface Report {
  readonly exitCode: number
  readonly error: string
  readonly code: string
  readonly requestId?: string | undefined
  readonly details?: unknown
  readonly hint?: string | undefined
  /** The whole body of the response, when it is an error envelope. */
  readonly envelope?: object | undefined
}

interface ReportStyle {
  readonly isJson: boolean
  /** The text after --json. */
  readonly jsonFields?: string | undefined
}

export function isHelpOrVersion(error: unknown): boolean {
  return error instanceof CommanderError && error.exitCode === 0
}

/** Writes the error to stderr; resolves to the exit code. */
export async function reportError(error: unknown, style: ReportStyle): Promise<number> {
  // Ctrl-C in a prompt: a message would only repeat that.
  if (error instanceof Error && error.name === 'ExitPromptError') return exitCodes.interrupted
  // A noun without a verb: commander has written its help already.
  if (error instanceof CommanderError && error.code === 'commander.help') return exitCodes.usage
  const report = error instanceof CommanderError ? reportOfUsage(error, style) : await reportOf(error)
  process.stderr.write(style.isJson ? jsonOf(report) : textOf(report))
  return report.exitCode
}

function reportOfUsage(error: CommanderError, { jsonFields }: ReportStyle): Report {
  const isSwallowed = jsonFields !== undefined && /missingArgument|unknownCommand/.test(error.code)
  return {
    exitCode: exitCodes.usage,
    error: error.message.replace(/^error: /, ''),
    code: 'USAGE',
    hint: isSwallowed ? `"${jsonFields}" was read as the fields of --json; put --json last.` : 'See --help.',
  }
}

async function reportOf(error: unknown): Promise<Report> {
  if (error instanceof CliError) {
    const { message, code, exitCode, hint } = error
    return { exitCode, error: message, code, hint }
  }
  const {
    ApiError: ApiErrorClass,
    ConnectionError,
    CrmError: CrmErrorClass,
    TimeoutError,
  } = await import('@crmkit/sdk')
  if (error instanceof ApiErrorClass) return reportOfResponse(error)
  const message = error instanceof CrmErrorClass ? withoutCall(error) : messageOf(error)
  if (error instanceof ConnectionError) {
    return {
      exitCode: exitCodes.failure,
      error: withCause(message, error.cause),
      code: 'CONNECTION_FAILED',
      hint: readEnvironment().hasProxy
        ? 'Requests go through the proxy of HTTPS_PROXY or HTTP_PROXY. Does it run?'
        : undefined,
    }
  }
  // The client refuses an invalid call, such as an empty id, before it sends anything.
  if (error instanceof Error && error.constructor === CrmErrorClass) {
    return { exitCode: exitCodes.usage, error: message, code: 'USAGE', hint: 'See --help.' }
  }
  const code = error instanceof TimeoutError ? 'TIMEOUT' : 'FAILURE'
  return { exitCode: exitCodes.failure, error: message, code }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The name of the call says nothing to a person who has typed a command. */
function withoutCall({ message, method, path }: CrmError): string {
  const name = `${method} ${path}: `
  return message.startsWith(name) ? message.slice(name.length) : message
}

function reportOfResponse(error: ApiError): Report {
  const envelope = typeof error.body === 'object' && error.body !== null ? error.body : undefined
  // The client's message adds the request id and hints for programmers; this report has its own lines for both.
  const sentence =
    envelope && 'error' in envelope && typeof envelope.error === 'string'
      ? envelope.error
      : withoutCall(error)
  const { code, requestId, details } = error
  const extra = error.status === 403 ? pick(envelope, ['required', 'granted']) : undefined
  const exitCode = exitCodeOfStatus(error.status)
  return {
    exitCode,
    // Of a resource that does not exist the path says which.
    error: error.status === 404 && error.path ? `${sentence}: ${error.path}` : sentence,
    code,
    requestId,
    details: details ?? extra,
    hint: hintOf(error),
    envelope,
  }
}

function hintOf({ status, code, details, retryAfterMs }: ApiError): string | undefined {
  if (code === 'CONFLICT' && typeof details === 'object' && details !== null && 'seq' in details)
    return `Read the message first. Then send yours with --if-seq ${details.seq}, or with --force.`
  if (code === 'AUTH_REQUIRED') return 'Check the e-mail and the password, or sign in again with "crm login".'
  if (status === 401) return 'Check CRM_API_KEY, or sign in again with "crm login".'
  if (code === 'PERMISSION_DENIED') return '"crm whoami" shows which credential is in use.'
  if (code === 'VALIDATION_ERROR') return 'See --help for the format of each value.'
  if (retryAfterMs !== undefined) return `Try again in ${Math.ceil(retryAfterMs / 1000)} s.`
  return undefined
}

function pick(from: object | undefined, keys: readonly string[]): object | undefined {
  const found = Object.entries(from ?? {}).filter(([key]) => keys.includes(key))
  return found.length > 0 ? Object.fromEntries(found) : undefined
}

/** Adds the innermost cause: "fetch failed" alone does not name the reason. */
function withCause(message: string, cause: unknown): string {
  if (!(cause instanceof Error)) return message
  const inner = cause.cause instanceof Error ? cause.cause : cause
  const reason = inner.message || ('code' in inner ? String(inner.code) : inner.name)
  return message.includes(reason) ? message : `${message} (${reason})`
}

function jsonOf({ error, code, requestId, details, hint, envelope }: Report): string {
  const isEnvelope = envelope !== undefined && 'success' in envelope && envelope.success === false
  const own = { success: false, error, code, requestId, details, hint }
  return `${escapeJsonText(JSON.stringify(isEnvelope ? envelope : own, null, 2))}\n`
}

function textOf({ error, code, requestId, details, hint }: Report): string {
  const lines = [`error: ${error}`, ...detailLines(details).map((line) => `  ${line}`)]
  lines.push(requestId === undefined ? `code: ${code}` : `code: ${code}, request: ${requestId}`)
  if (hint !== undefined) lines.push(`hint: ${hint}`)
  const text = lines.map((line) => `${line.startsWith('  ') ? '  ' : ''}${cleanLine(line.trim())}\n`).join('')
  // Only on a terminal that takes colours.
  return text.replace(/^error:/, styleText('red', 'error:', { stream: process.stderr }))
}

function detailLines(details: unknown): string[] {
  if (typeof details !== 'object' || details === null) return []
  if (!Array.isArray(details))
    return Object.entries(details).map(([key, value]) => `${key}: ${wordsOf(value)}`)
  return details.map((detail: unknown) => {
    if (typeof detail !== 'object' || detail === null) return wordsOf(detail)
    const { field, message } = detail as { field?: unknown; message?: unknown }
    return typeof message === 'string' ? `${wordsOf(field || 'request')}: ${message}` : wordsOf(detail)
  })
}

function wordsOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string')
    return value.name
  return Array.isArray(value) ? value.map(wordsOf).join(', ') : JSON.stringify(value)
}
