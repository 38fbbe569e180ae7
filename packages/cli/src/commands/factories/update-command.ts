import type { OptionValues } from '@commander-js/extra-typings'
import type { Context } from '../../context.ts'
import { cleanLine } from '../../output/clean-text.ts'
import type { Column } from '../../output/column.ts'
import { isForPeople } from '../../output/output.ts'
import { printRecord } from '../../output/print-record.ts'
import { type Need, openClient } from '../../profile/open-client.ts'
import { assertChange } from '../assert-change.ts'
import { assertConfirmed, yesOption } from '../confirm.ts'
import { runAction } from '../run-action.ts'
import {
  type AddOptions,
  addCommand,
  type Call,
  type CommandWords,
  type NoOptions,
  type NounCommand,
} from './add-command.ts'

interface ChangeCall<Input> extends Call {
  readonly id: string
  readonly input: Input
}

interface UpdateSpec<Row extends { readonly _id: string }, Options extends OptionValues, Input>
  extends CommandWords {
  /** The description of the argument; default: "the id of the NOUN". */
  readonly id?: string
  /** Default: any credential. */
  readonly need?: Need
  readonly columns: readonly Column<Row>[]
  /** The columns of a terminal, where they are others; they may need further requests. */
  readonly columnsForPeople?: (call: Call, rows: readonly Row[]) => Promise<readonly Column<Row>[]>
  readonly options?: AddOptions<Options>
  /** Runs before anything is sent and may throw a usage error; default: the input is the options. */
  readonly inputOf?: (options: Options, id: string) => Input | Promise<Input>
  /** Adds `--yes`; without it the question is asked before anything is sent. */
  readonly confirm?: {
    /** `id` has no control characters. */
    readonly question: (id: string, options: Options) => string
    /** Printed after a no, such as "Nothing was revoked." */
    readonly refusal: string
  }
  readonly send: (call: ChangeCall<Input>) => PromiseLike<Row>
  /** Printed after the change, such as "Changed the customer." */
  readonly done: string | ((row: Row) => string)
}

interface ActionSpec<Row extends { readonly _id: string }, Options extends OptionValues, Input>
  extends UpdateSpec<Row, Options, Input> {
  readonly name: string
}

/** `crm NOUN update ID`: refuses a call without a field, sends the others and prints the changed record. */
export function updateCommand<
  Row extends { readonly _id: string },
  Options extends OptionValues = NoOptions,
  Input extends object = Options,
>(spec: UpdateSpec<Row, Options, Input>): NounCommand {
  const inputOf = async (options: Options, id: string): Promise<Input> => {
    const input = spec.inputOf ? await spec.inputOf(options, id) : (options as unknown as Input)
    assertChange(input)
    return input
  }
  return actionCommand({ ...spec, name: 'update', inputOf })
}

/** `crm NOUN NAME ID`: any other request that changes one record and returns it. */
export function actionCommand<
  Row extends { readonly _id: string },
  Options extends OptionValues = NoOptions,
  Input = Options,
>(spec: ActionSpec<Row, Options, Input>): NounCommand {
  return (parent, noun) => {
    const command = addCommand(parent, spec).argument('<id>', spec.id ?? `the id of the ${noun.name}`)
    if (spec.confirm) command.addOption(yesOption())
    command.action((id, given, self) => {
      const { yes, ...options } = given as Options & { readonly yes?: true | undefined }
      const request = { id, yes, options: options as unknown as Options }
      return runAction(self, (context) => runChange(context, spec, request))
    })
  }
}

interface ChangeRequest<Options> {
  readonly id: string
  readonly yes: true | undefined
  readonly options: Options
}

async function runChange<Row extends { readonly _id: string }, Options extends OptionValues, Input>(
  context: Context,
  { need, columns, columnsForPeople, inputOf, confirm, send, done }: ActionSpec<Row, Options, Input>,
  { id, yes, options }: ChangeRequest<Options>,
): Promise<void> {
  const input = inputOf ? await inputOf(options, id) : (options as unknown as Input)
  if (confirm) {
    const question = confirm.question(cleanLine(id), options)
    await assertConfirmed(context, { question, refusal: confirm.refusal, yes })
  }
  const { call, credential } = await openClient(context, need)
  const row = await call((crm) => send({ crm, credential, id, input }))
  context.output.say(typeof done === 'string' ? done : done(row))
  const shown =
    columnsForPeople && isForPeople(context.output)
      ? await call((crm) => columnsForPeople({ crm, credential }, [row]))
      : columns
  printRecord(context.output, { row, columns: shown, quiet: row._id })
}
