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

export function addContentOptions(command: CommandUnknownOpts): void {
  command
    .option('--content <text>', 'what it says')
    .addOption(new Option('--content-file <file>', 'read it from a file, - is stdin').conflicts('content'))
    .addOption(
      new Option('--content-type <type>', 'text unless named').choices(['text', 'markdown', 'html'] as const),
    )
}

/** The content of a message: from a flag, a file, stdin or a question. */
export async function readContent(
  { prompter }: Context,
  { content, contentFile }: ContentOptions,
): Promise<string> {
  if (content !== undefined) return content
  if (contentFile === '-') return given(await textOf(process.stdin), 'stdin')
  if (contentFile !== undefined) return given(await readGivenFile(contentFile), '--content-file')
  prompter.requireValues({ '--content (or --content-file)': undefined })
  return prompter.text('What does it say?')
}

function given(text: string, source: string): string {
  if (text.trim() === '') throw usageError(`${source} brought nothing.`)
  return text
}
