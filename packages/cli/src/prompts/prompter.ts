import { usageError } from '../cli-error.ts'

export interface Choice<Value> {
  readonly value: Value
  /** The text of the choice, where it is not the value. */
  readonly name?: string
  readonly description?: string
  /** Chosen from the beginning, where several may be chosen. */
  readonly isChosen?: boolean
}

export interface TextOptions {
  readonly default?: string | undefined
  readonly isOptional?: boolean
  /** Returns a sentence about a text that the person then has to change. */
  readonly problemOf?: (text: string) => string | undefined
}

/** Asks the person at the terminal. Questions go to stderr, so that stdout has data only. */
export interface Prompter {
  readonly isInteractive: boolean
  /** Throws a usage error with every flag whose value is missing, unless a terminal can ask for the values. */
  requireValues(values: Readonly<Record<string, unknown>>): void
  text(message: string, options?: TextOptions): Promise<string>
  /** `problemOf` returns a sentence about a text that the person then has to change. */
  secret(message: string, problemOf?: (text: string) => string | undefined): Promise<string>
  confirm(message: string, options?: { default?: boolean }): Promise<boolean>
  chooseOne<Value extends string>(message: string, choices: readonly Choice<Value>[]): Promise<Value>
  choose<Value extends string>(message: string, choices: readonly Choice<Value>[]): Promise<Value[]>
}

/** Ends a question as Ctrl-C does when the input ends, such as by Ctrl-D: nothing is left then that could reply to it. */
function untilInputEnds<Value>(question: Promise<Value>): Promise<Value> {
  const ended = Promise.withResolvers<never>()
  const end = () => ended.reject(Object.assign(new Error('The input has ended'), { name: 'ExitPromptError' }))
  process.once('beforeExit', end)
  return Promise.race([question, ended.promise]).finally(() => process.off('beforeExit', end))
}

export function createPrompter(): Prompter {
  const isInteractive = process.stdin.isTTY === true && process.stderr.isTTY === true
  const onStderr = { output: process.stderr }
  // Loaded at the first question: most calls ask nothing.
  const prompts = () => import('@inquirer/prompts')
  return {
    isInteractive,
    requireValues: (values) => {
      const missing = Object.keys(values).filter((flag) => values[flag] === undefined)
      if (isInteractive || missing.length === 0) return
      throw usageError(
        `Missing: ${missing.join(', ')}. The command cannot ask for values without a terminal.`,
      )
    },
    text: async (message, { default: preset, isOptional = false, problemOf } = {}) => {
      const { input } = await prompts()
      const question = {
        message,
        required: !isOptional,
        ...(preset === undefined ? {} : { default: preset }),
        validate: (text: string) => problemOf?.(text.trim()) ?? true,
      }
      const answer = await untilInputEnds(input(question, onStderr))
      return answer.trim()
    },
    secret: async (message, problemOf) => {
      const { password } = await prompts()
      const validate = (text: string) => problemOf?.(text) ?? true
      return untilInputEnds(password({ message, mask: '*', validate }, onStderr))
    },
    confirm: async (message, { default: preset = false } = {}) => {
      const { confirm } = await prompts()
      return untilInputEnds(confirm({ message, default: preset }, onStderr))
    },
    chooseOne: async (message, choices) => {
      const { select } = await prompts()
      const question = { message, choices: choices.map((choice) => ({ ...choice })) }
      return untilInputEnds(select(question, onStderr))
    },
    choose: async (message, choices) => {
      const { checkbox } = await prompts()
      const question = {
        message,
        choices: choices.map(({ isChosen = false, ...choice }) => ({ ...choice, checked: isChosen })),
        required: true,
      }
      return untilInputEnds(checkbox(question, onStderr))
    },
  }
}
