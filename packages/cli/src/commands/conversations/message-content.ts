import { text as textOf } from 'node:stream/consumers'
import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings'
import { usageError } from '../../cli-error.ts'
import type { Context } from '../../context.ts'
import { readGivenFile } from '../../prompts/read-secret.ts'

export interface ContentOptions {
  readonly content?: string | undefined
  readonly contentFile?: string | undefined
  readonly contentType?: 'text' | 'markdown' | 'html' | undefined
}

export interface FileOptions {
  readonly attach?: readonly string[] | undefined
}

export function addContentOptions(command: CommandUnknownOpts): void {
  command
    .option('--content <text>', 'the text of the message')
    .addOption(
      new Option('--content-file <file>', 'read the text from a file; - is stdin').conflicts('content'),
    )
    .addOption(
      new Option('--content-type <type>', 'default: text').choices(['text', 'markdown', 'html'] as const),
    )
}

/** Reads the content of a message from a flag, a file, stdin or a prompt. Files alone are a message: nobody is asked for its text. */
export async function readContent(
  { prompter }: Context,
  { content, contentFile, attach = [] }: ContentOptions & FileOptions,
): Promise<string> {
  if (content !== undefined) return content
  if (contentFile === '-') return assertContent(await textOf(process.stdin), 'stdin')
  if (contentFile !== undefined) return assertContent(await readGivenFile(contentFile), '--content-file')
  if (attach.length > 0) return ''
  prompter.requireValues({ '--content (or --content-file)': undefined })
  return prompter.text('Text of the message')
}

function assertContent(text: string, source: string): string {
  if (text.trim() === '') throw usageError(`${source} is empty.`)
  return text
}
