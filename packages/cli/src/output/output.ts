import { styleText } from 'node:util'
import type { Environment } from '../config.ts'
import { cleanLine } from './clean-text.ts'
import type { Tone } from './column.ts'

type Style = Parameters<typeof styleText>[0]

export interface OutputOptions {
  /** `--json` alone: true; with fields: their list. */
  readonly json: true | readonly string[] | undefined
  readonly isQuiet: boolean
  readonly isColorWanted: boolean
}

/** The two streams: data goes to stdout, messages go to stderr. */
export interface Output extends OutputOptions {
  readonly isTerminal: boolean
  readonly width: number
  /** Writes data to stdout, with a newline at the end. */
  print(text: string): void
  /** Writes a message to stderr unless `--quiet` is given. It may be styled, so external text in it is cleaned before. */
  say(text: string): void
  /** Writes a message that `--quiet` does not silence. */
  warn(text: string): void
  /** Styles a text for stdout, unless styles are off. */
  style(style: Style, text: string): string
  /** Colours a text for stdout by its meaning, unless styles are off. */
  tone(tone: Tone | undefined, text: string): string
}

const toneStyles = {
  good: 'green',
  attention: 'yellow',
  bad: 'red',
  quiet: 'dim',
} as const satisfies Record<Tone, Style>

export function createOutput(options: OutputOptions, environment: Environment): Output {
  const { stdout, stderr } = process
  const isTerminal = stdout.isTTY === true
  const isStyled = isTerminal && options.isColorWanted && !environment.isColorUnwanted
  const style = (name: Style, text: string) =>
    isStyled ? styleText(name, text, { validateStream: false }) : text
  return {
    ...options,
    isTerminal,
    // A pseudo-terminal without a size says 0.
    width: stdout.columns || environment.columns || 80,
    print: (text) => void stdout.write(`${text}\n`),
    say: (text) => {
      if (!options.isQuiet) stderr.write(`${text}\n`)
    },
    warn: (text) => void stderr.write(`${cleanLine(text)}\n`),
    style,
    tone: (tone, text) => (tone === undefined ? text : style(toneStyles[tone], text)),
  }
}

/** Whether a person reads the output at a terminal, as a table or a card. */
export function isForPeople({ isTerminal, json, isQuiet }: Output): boolean {
  return isTerminal && !json && !isQuiet
}
