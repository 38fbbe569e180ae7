import type { OptionValues } from '@commander-js/extra-typings'
import { cleanLine } from '../../output/clean-text.ts'
import type { Column } from '../../output/column.ts'
import { printRecord } from '../../output/print-record.ts'
import { addCommand, type NoOptions, type NounCommand } from '../factories/add-command.ts'
import { type InputSpec, prepareCreate } from '../factories/create-command.ts'
import { runAction } from '../run-action.ts'

/** A request as its submission returns it. */
interface Submitted<Row> {
  readonly message: string
  readonly request: Row
}

interface RequestSpec<Row, Options extends OptionValues, Asked extends string>
  extends InputSpec<Options, Options, Asked, Submitted<Row>> {
  readonly name: string
  readonly columns: readonly Column<Row>[]
}

/** `crm privacy NAME`: submits a request about your own data and prints it. */
export function requestCommand<
  Row extends { readonly id: string },
  Options extends OptionValues = NoOptions,
  Asked extends string = never,
>(spec: RequestSpec<Row, Options, Asked>): NounCommand {
  return (parent) => {
    addCommand(parent, spec).action((options, self) =>
      runAction(self, async (context) => {
        const submit = await prepareCreate(context, { ...spec, need: 'session' }, options as Options)
        const { message, request } = await submit()
        context.output.say(cleanLine(`${message}.`))
        printRecord(context.output, { row: request, columns: spec.columns, quiet: request.id })
      }),
    )
  }
}
