import { readFile } from 'node:fs/promises'
import { text as textOf } from 'node:stream/consumers'
import { usageError } from '../cli-error.ts'
import type { Context } from '../context.ts'
import type { Prompter } from './prompter.ts'

export interface PasswordOptions {
  readonly passwordStdin?: boolean | undefined
  readonly passwordFile?: string | undefined
}

interface PasswordQuestion {
  readonly message: string
  /** Asks for a new password twice. */
  readonly isNew: boolean
}

/** The text for a missing password. */
export const passwordFlag = '--password-stdin (or --password-file, CRM_PASSWORD)'

/** True, for `requireValues`, when a password comes from another source than a prompt. */
export function hasPasswordSource(context: Context, options: PasswordOptions): true | undefined {
  return options.passwordStdin || options.passwordFile || context.environment.password ? true : undefined
}

/** Reads a password from stdin, a file, CRM_PASSWORD or a prompt; never from a flag, which every process can see. */
export async function readPassword(
  context: Context,
  options: PasswordOptions,
  { message, isNew }: PasswordQuestion,
): Promise<string> {
  if (options.passwordStdin && options.passwordFile) {
    throw usageError('--password-stdin and --password-file cannot be used together.')
  }
  if (options.passwordStdin) return readStdinSecret('--password-stdin')
  if (options.passwordFile) return readSecretFile(options.passwordFile, '--password-file')
  if (context.environment.password) return context.environment.password
  context.prompter.requireValues({ [passwordFlag]: undefined })
  return isNew ? askNewPassword(context.prompter, message) : context.prompter.secret(message)
}

/** Asks for a new password twice, until it is long enough and the two are equal. */
export async function askNewPassword(prompter: Prompter, message: string): Promise<string> {
  // The server would refuse a shorter one after everything else was typed.
  const { passwordLengthMin } = await import('@crmkit/core/vocabulary')
  const password = await prompter.secret(message, (text) =>
    text.length < passwordLengthMin ? `Type at least ${passwordLengthMin} characters.` : undefined,
  )
  await prompter.secret('Repeat the password', (text) =>
    text === password ? undefined : 'The two passwords differ. Type the first one again.',
  )
  return password
}

export async function readStdinSecret(flag: string): Promise<string> {
  return secretFrom(await textOf(process.stdin), flag)
}

export async function readSecretFile(path: string, flag: string): Promise<string> {
  return secretFrom(await readGivenFile(path), flag)
}

export async function readGivenFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch {
    throw usageError(`The file ${path} cannot be read.`)
  }
}

/** Removes the line end that an editor or `echo` adds; everything else is part of the secret. */
function secretFrom(text: string, flag: string): string {
  const secret = text.replace(/\r?\n$/, '')
  if (secret === '') throw usageError(`${flag} is empty.`)
  return secret
}
