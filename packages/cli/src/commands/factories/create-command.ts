import type { OptionValues } from '@commander-js/extra-typings'
import type { Context } from '../../context.ts'
import type { Field } from '../../operations/operation.ts'
import { assertFields } from '../../output/assert-fields.ts'
import { printRecord } from '../../output/print-record.ts'
import { openClient } from '../../profile/open-client.ts'
import type { Prompter } from '../../prompts/prompter.ts'
import { addToList, isoMoment, wholeNumber } from '../option-values.ts'
import { runAction } from '../run-action.ts'
import {
  addOperationCommand,
  type Call,
  type NoOptions,
  type NounCommand,
  type OperationSpec,
  withArticle,
} from './add-command.ts'
import { fieldOptions, kebab } from './field-options.ts'

/** Asks for a value that no option gave: the text of the question, or an input of another kind. */
type Question<Value> = string | ((prompter: Prompter) => Promise<NonNullable<Value>>)

export interface InputSpec<Input, Reply, Options extends OptionValues, Sent>
  extends OperationSpec<Input, Reply, Options> {
  /** Runs before anything is sent and may throw a usage error; default: the input is the options. */
  readonly inputOf?: (given: Partial<Input> & Options, prompter: Prompter) => Sent | Promise<Sent>
  /**
   * Questions for the fields that the server demands, where their texts are not sufficient. A terminal asks for a missing
   * one; without a terminal it is a usage error that names the field's option.
   */
  readonly ask?: { readonly [Name in keyof Input]?: Question<Input[Name]> }
  /** Asks for more, when questions of their own are not enough; runs on a terminal only. */
  readonly complete?: (input: Sent, prompter: Prompter) => Promise<Sent>
  /** Default: the operation. */
  readonly send?: (call: Call & { readonly input: Input & Sent }) => PromiseLike<Reply>
}

interface CreateSpec<Input, Row extends { readonly _id: string }, Options extends OptionValues, Sent>
  extends InputSpec<Input, Row, Options, Sent> {
  /** Printed afterwards; default: "Created the NOUN." */
  readonly done?: string
}

/** `crm NOUN create`: prints the new record. */
export function createCommand<
  Input extends object,
  Row extends { readonly _id: string },
  Options extends OptionValues = NoOptions,
  Sent extends object = Partial<Input> & Options,
>(spec: CreateSpec<Input, Row, Options, Sent>): NounCommand<Row> {
  return (parent, noun) => {
    const description = `Create ${withArticle(noun)}.`
    const { command, valuesOf } = addOperationCommand(parent, spec, {
      name: 'create',
      description,
      example: spec.operation.example,
    })
    command.action((given, self) =>
      runAction(self, async (context) => {
        assertFields(context.output, spec.operation.reply)
        const create = await prepareCreate(context, spec, valuesOf(given))
        const row = await create()
        context.output.say(spec.done ?? `Created the ${noun.name}.`)
        printRecord(context.output, { row, columns: noun.columns, quiet: row._id })
      }),
    )
  }
}

/** Makes the request from options and prompted values; the returned function sends it. */
export async function prepareCreate<Input, Reply, Options extends OptionValues, Sent extends object>(
  context: Context,
  spec: InputSpec<Input, Reply, Options, Sent>,
  values: OptionValues,
): Promise<() => Promise<Reply>> {
  const { operation, need = operation.need, inputOf, complete, send } = spec
  const { prompter } = context
  const given = (inputOf ? await inputOf(values as Partial<Input> & Options, prompter) : values) as Sent
  const missing = questionsOf(spec).filter(({ name }) => Reflect.get(given, name) === undefined)
  prompter.requireValues(Object.fromEntries(missing.map(({ flag }) => [`--${flag}`, undefined])))
  const { call, credential } = await openClient(context, need)
  const answers: Record<string, unknown> = {}
  for (const { name, ask } of missing) answers[name] = await ask(prompter)
  const completed = complete && prompter.isInteractive ? await complete(given, prompter) : given
  const input = { ...completed, ...answers } as Input & Sent
  return () => call((crm) => (send ? send({ crm, credential, input }) : operation.send(crm, '', input)))
}

interface FieldQuestion {
  readonly name: string
  readonly flag: string
  readonly ask: (prompter: Prompter) => Promise<unknown>
}

type Questions = Readonly<Record<string, Question<unknown> | undefined>>

/** A question for each field that the server demands, and for those that the command asks for besides. */
function questionsOf<Input>({
  operation,
  fields: words = {},
  ask = {},
}: Pick<OperationSpec<Input, unknown, NoOptions>, 'operation' | 'fields'> & {
  readonly ask?: Questions
}): FieldQuestion[] {
  const flags = new Map(fieldOptions(operation.fields, words).map(({ field, flag }) => [field.name, flag]))
  return operation.fields
    .filter(({ name, isRequired }) => isRequired || ask[name] !== undefined)
    .map((field) => {
      const question = ask[field.name] ?? capitalized(field.text)
      return {
        name: field.name,
        flag: flags.get(field.name) ?? kebab(field.name),
        ask: typeof question === 'function' ? question : (prompter) => askFor(field, question, prompter),
      }
    })
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Asks for the value of a field until the parser of its option accepts it. */
export async function askFor(
  { type, choices }: Field,
  question: string,
  prompter: Prompter,
): Promise<unknown> {
  const values = choices?.map((value) => ({ value }))
  if (type === 'list' && values) return prompter.choose(question, values)
  if (values) return prompter.chooseOne(question, values)
  if (type === 'flag') return prompter.confirm(question)
  const parse = {
    text: (text: string) => text,
    list: (text: string) => addToList(text, []),
    integer: wholeNumber,
    moment: isoMoment,
  }[type]
  return parse(await prompter.text(question, { problemOf: problemOf(parse) }))
}

/** The sentence with which a parser of options refuses a text. */
function problemOf(parse: (text: string) => unknown): (text: string) => string | undefined {
  return (text) => {
    try {
      parse(text)
      return undefined
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  }
}
