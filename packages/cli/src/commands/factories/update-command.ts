import type { OptionValues } from '@commander-js/extra-typings'
import type { Context } from '../../context.ts'
import { assertFields } from '../../output/assert-fields.ts'
import { cleanLine } from '../../output/clean-text.ts'
import type { Column } from '../../output/column.ts'
import { isForPeople } from '../../output/output.ts'
import { printRecord } from '../../output/print-record.ts'
import { openClient } from '../../profile/open-client.ts'
import { assertChange } from '../assert-change.ts'
import { assertConfirmed, yesOption } from '../confirm.ts'
import { runAction } from '../run-action.ts'
import {
  addOperationCommand,
  type Call,
  type NoOptions,
  type Noun,
  type NounCommand,
  type OperationSpec,
  sampleId,
  withArticle,
} from './add-command.ts'
import { camel, kebab } from './field-options.ts'

interface ChangeCall<Sent> extends Call {
  readonly id: string
  readonly input: Sent
}

interface ChangeSpec<Input, Row extends { readonly _id: string }, Options extends OptionValues, Sent>
  extends OperationSpec<Input, Row, Options> {
  /** The description of the argument; default: "the id of the NOUN". */
  readonly id?: string
  /** The columns of a terminal, where they are others; they may need further requests. */
  readonly columnsForPeople?: (call: Call, rows: readonly Row[]) => Promise<readonly Column<Row>[]>
  /** Runs before anything is sent and may throw a usage error; default: the input is the options. */
  readonly inputOf?: (given: Input & Options, id: string) => Sent | Promise<Sent>
  /** Adds `--yes`; without it the question is asked before anything is sent. */
  readonly confirm?: {
    /** `id` has no control characters. */
    readonly question: (id: string, given: Input & Options) => string
    /** Printed after a no, such as "Nothing was revoked." */
    readonly refusal: string
  }
  /** Default: the operation. */
  readonly send?: (call: ChangeCall<Sent>) => PromiseLike<Row>
  /** Printed after the change; default: "Changed the NOUN." */
  readonly done?: string | ((row: Row) => string)
}

interface ActionSpec<Input, Row extends { readonly _id: string }, Options extends OptionValues, Sent>
  extends ChangeSpec<Input, Row, Options, Sent> {
  /** Default: the name of the operation. */
  readonly name?: string
}

/** `crm NOUN update ID`: refuses a call without a field, sends the others and prints the changed record. */
export function updateCommand<
  Input extends object,
  Row extends { readonly _id: string },
  Options extends OptionValues = NoOptions,
  Sent extends object = Input & Options,
>(spec: ChangeSpec<Input, Row, Options, Sent>): NounCommand<Row> {
  const inputOf = async (given: Input & Options, id: string): Promise<Sent> => {
    const input = spec.inputOf ? await spec.inputOf(given, id) : (given as unknown as Sent)
    assertChange(input)
    return input
  }
  return (parent, noun) => {
    const summary = `Change ${withArticle(noun)}`
    const description = `${summary}. Fields that you do not name stay as they are.`
    const example = [sampleId(noun), spec.operation.example].filter(Boolean).join(' ')
    addChange(parent, noun, {
      spec: { ...spec, inputOf },
      texts: { name: 'update', summary, description, example, canClear: true },
    })
  }
}

/** `crm NOUN NAME ID`: any other request that changes one record and returns it. */
export function actionCommand<
  Input,
  Row extends { readonly _id: string },
  Options extends OptionValues = NoOptions,
  Sent = Input & Options,
>(spec: ActionSpec<Input, Row, Options, Sent>): NounCommand<Row> {
  return (parent, noun) => {
    const { name = kebab(spec.operation.name), operation } = spec
    const texts = { name, description: `${operation.summary}.`, example: sampleId(noun), isMandatory: true }
    addChange(parent, noun, { spec, texts })
  }
}

interface Change<Input, Row extends { readonly _id: string }, Options extends OptionValues, Sent> {
  readonly spec: ActionSpec<Input, Row, Options, Sent>
  readonly texts: Parameters<typeof addOperationCommand>[2]
}

function addChange<Input, Row extends { readonly _id: string }, Options extends OptionValues, Sent>(
  parent: Parameters<NounCommand>[0],
  noun: Noun<Row>,
  { spec, texts }: Change<Input, Row, Options, Sent>,
): void {
  const { command, options, valuesOf } = addOperationCommand(parent, spec, texts)
  command.argument('<id>', spec.id ?? `the id of the ${noun.name}`)
  const positional = options.find(({ argument }) => argument !== undefined)
  if (positional) {
    const { field, flag, argument = '' } = positional
    command.argument(field.type === 'list' ? `<${flag}...>` : `<${flag}>`, argument)
  }
  if (spec.confirm) command.addOption(yesOption())
  // The options and the command itself follow the arguments.
  command.action((...given: unknown[]) => {
    const [id, value] = given
    const { yes, ...values } = command.opts() as OptionValues & { readonly yes?: true }
    const all = positional ? { ...values, [camel(positional.flag)]: value } : values
    const request = { id: String(id), yes, noun, given: valuesOf(all) as Input & Options }
    return runAction(command, (context) => runChange(context, spec, request))
  })
}

interface ChangeRequest<Row, Given> {
  readonly noun: Noun<Row>
  readonly id: string
  readonly yes: true | undefined
  readonly given: Given
}

async function runChange<Input, Row extends { readonly _id: string }, Options extends OptionValues, Sent>(
  context: Context,
  spec: ActionSpec<Input, Row, Options, Sent>,
  { id, yes, noun, given }: ChangeRequest<Row, Input & Options>,
): Promise<void> {
  const { operation, need = operation.need, columnsForPeople, confirm, done } = spec
  assertFields(context.output, operation.reply)
  const input = spec.inputOf ? await spec.inputOf(given, id) : (given as unknown as Sent)
  if (confirm) {
    const question = confirm.question(cleanLine(id), given)
    await assertConfirmed(context, { question, refusal: confirm.refusal, yes })
  }
  const { call, credential } = await openClient(context, need)
  const send = spec.send ?? (({ crm }) => operation.send(crm, id, input as unknown as Input))
  const row = await call((crm) => send({ crm, credential, id, input }))
  context.output.say(typeof done === 'function' ? done(row) : (done ?? `Changed the ${noun.name}.`))
  const shown =
    columnsForPeople && isForPeople(context.output)
      ? await call((crm) => columnsForPeople({ crm, credential }, [row]))
      : noun.columns
  printRecord(context.output, { row, columns: shown, quiet: row._id })
}
