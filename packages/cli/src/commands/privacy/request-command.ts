import { cleanLine } from '../../output/clean-text.ts'
import { printRecord } from '../../output/print-record.ts'
import { addOperationCommand, type NoOptions, type NounCommand } from '../factories/add-command.ts'
import { type InputSpec, prepareCreate } from '../factories/create-command.ts'
import { runAction } from '../run-action.ts'

/** A request as its submission returns it. */
interface Submitted<Row> {
  readonly message: string
  readonly request: Row
}

interface RequestSpec<Input, Row> extends InputSpec<Input, Submitted<Row>, NoOptions, Partial<Input>> {
  readonly name: string
}

/** `crm privacy NAME`: submits a request about your own data and prints it. */
export function requestCommand<Input extends object, Row extends { readonly id: string }>(
  spec: RequestSpec<Input, Row>,
): NounCommand<Row> {
  return (parent, { columns }) => {
    const texts = { name: spec.name, description: `${spec.operation.summary}.` }
    const { command, valuesOf } = addOperationCommand(parent, spec, texts)
    command.action((options, self) =>
      runAction(self, async (context) => {
        const submit = await prepareCreate(context, spec, valuesOf(options))
        const { message, request } = await submit()
        context.output.say(cleanLine(`${message}.`))
        printRecord(context.output, { row: request, columns, quiet: request.id })
      }),
    )
  }
}
