import type { OptionValues } from '@commander-js/extra-typings'
import type { Context } from '../../context.ts'
import type { Column } from '../../output/column.ts'
import { printRecord } from '../../output/print-record.ts'
import { type Need, openClient } from '../../profile/open-client.ts'
import type { Prompter } from '../../prompts/prompter.ts'
import { runAction } from '../run-action.ts'
import {
  type AddOptions,
  addCommand,
  type Call,
  type CommandWords,
  type NoOptions,
  type NounCommand,
} from './add-command.ts'

/** Asks for a value that no option gave: a text, or an input of another kind. */
type Question<Value> = string | ((prompter: Prompter) => Promise<NonNullable<Value>>)

/** The input with a value for each field that is asked for. */
type Answered<Input, Asked extends string> = Omit<Input, Asked> & {
  readonly [Field in Asked & keyof Input]: NonNullable<Input[Field]>
}

export interface InputSpec<Options extends OptionValues, Input, Asked extends string, Created>
  extends CommandWords {
  /** Default: any credential. */
  readonly need?: Need
  readonly options?: AddOptions<Options>
  /** Runs before anything is sent and may throw a usage error; default: the input is the options. */
  readonly inputOf?: (options: Options, prompter: Prompter) => Input | Promise<Input>
  /**
   * The fields that the server demands. A terminal asks for a missing one; without a terminal it is a usage error
   * that names the field's option.
   */
  readonly ask?: {
    readonly [Field in Asked]: Question<NoInfer<Input>[Field & keyof Input]>
  }
  /** Asks for more, when questions of their own are not enough; runs on a terminal only. */
  readonly complete?: (input: Input, prompter: Prompter) => Promise<Input>
  readonly send: (call: Call & { readonly input: Answered<Input, Asked> }) => PromiseLike<Created>
}

interface CreateSpec<
  Row extends { readonly _id: string },
  Options extends OptionValues,
  Input,
  Asked extends string,
> extends InputSpec<Options, Input, Asked, Row> {
  readonly columns: readonly Column<Row>[]
  /** Printed afterwards, such as "Created the customer." */
  readonly done: string
}

/** `crm NOUN create`: prints the new record. */
export function createCommand<
  Row extends { readonly _id: string },
  Options extends OptionValues = NoOptions,
  Input extends object = Options,
  Asked extends string = never,
>(spec: CreateSpec<Row, Options, Input, Asked>): NounCommand {
  return (parent) => {
    addCommand(parent, { ...spec, name: 'create' }).action((options, self) =>
      runAction(self, async (context) => {
        const create = await prepareCreate(context, spec, options as Options)
        const row = await create()
        context.output.say(spec.done)
        printRecord(context.output, { row, columns: spec.columns, quiet: row._id })
      }),
    )
  }
}

/** Makes the request from options and prompted values; the returned function sends it. */
export async function prepareCreate<
  Options extends OptionValues,
  Input extends object,
  Asked extends string,
  Created,
>(
  context: Context,
  { need, inputOf, ask, complete, send }: InputSpec<Options, Input, Asked, Created>,
  options: Options,
): Promise<() => Promise<Created>> {
  const { prompter } = context
  const given = inputOf ? await inputOf(options, prompter) : (options as unknown as Input)
  const fields = given as Readonly<Record<string, unknown>>
  const questions = Object.entries<Question<unknown>>(ask ?? {})
  prompter.requireValues(Object.fromEntries(questions.map(([field]) => [flagOf(field), fields[field]])))
  const { call, credential } = await openClient(context, need)
  const answers: Record<string, unknown> = {}
  for (const [field, question] of questions) {
    if (fields[field] !== undefined) continue
    answers[field] = typeof question === 'string' ? await prompter.text(question) : await question(prompter)
  }
  const completed = complete && prompter.isInteractive ? await complete(given, prompter) : given
  const input = { ...completed, ...answers } as unknown as Answered<Input, Asked>
  return () => call((crm) => send({ crm, credential, input }))
}

/** `firstName` as `--first-name`. */
function flagOf(field: string): string {
  return `--${field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}
