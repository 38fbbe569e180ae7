import type { MessageReply } from '@crmkit/sdk'
import type { Context } from '../../context.ts'
import type { NoInput, Operation } from '../../operations/operation.ts'
import { cleanLine } from '../../output/clean-text.ts'
import { printJson } from '../../output/print-json.ts'
import { openClient } from '../../profile/open-client.ts'
import { assertConfirmed, yesOption } from '../confirm.ts'
import { runAction } from '../run-action.ts'
import {
  addOperationCommand,
  type NoOptions,
  type NounCommand,
  type OperationSpec,
  sampleId,
  withArticle,
} from './add-command.ts'

interface DeleteSpec<Input, Row> extends OperationSpec<Input, MessageReply, NoOptions> {
  /** Asked before anything is deleted; `shown` is the name with the id, without control characters. Default: "Delete NAME?" */
  readonly question?: (shown: string) => string
  /** Reads the resource, whose name the question shows; without it, the question shows the id alone. */
  readonly read?: Operation<NoInput, Row>
  /** The name that a person knows the resource by. */
  readonly nameOf?: (row: Row) => string | null | undefined
}

/** `crm NOUN delete ID`: asks, deletes, and prints the server's sentence for people or the id for programs. */
export function deleteCommand<Input, Row>(spec: DeleteSpec<Input, Row>): NounCommand {
  return (parent, noun) => {
    const { command, valuesOf } = addOperationCommand(parent, spec, {
      name: 'delete',
      description: `Delete ${withArticle(noun)}.`,
      example: `${sampleId(noun)} --yes`,
    })
    command
      .argument('<id>', `the id of the ${noun.name}`)
      .addOption(yesOption())
      .action((id, given, self) => {
        const { yes, ...options } = given as { readonly yes?: true }
        const request = { id, yes, input: valuesOf(options) as Input }
        return runAction(self, (context) => runDelete(context, spec, request))
      })
  }
}

interface DeleteRequest<Input> {
  readonly id: string
  readonly yes: true | undefined
  readonly input: Input
}

async function runDelete<Input, Row>(
  context: Context,
  { operation, need = operation.need, question, read, nameOf }: DeleteSpec<Input, Row>,
  { id, yes, input }: DeleteRequest<Input>,
): Promise<void> {
  const shownId = cleanLine(id)
  if (!yes) context.prompter.requireValues({ '--yes': undefined })
  const { call } = await openClient(context, need)
  // A credential that may delete and not read gets the question with the id alone.
  const row = yes || !read ? undefined : await call((crm) => read.send(crm, id, {})).catch(() => undefined)
  const name = row === undefined ? undefined : nameOf?.(row)
  const shown = name ? `${cleanLine(name)} (${shownId})` : shownId
  const asked = question?.(shown) ?? `Delete ${shown}?`
  await assertConfirmed(context, { question: asked, refusal: 'Nothing was deleted.', yes })
  const reply = await call((crm) => operation.send(crm, id, input))
  const { output } = context
  output.say(cleanLine(reply.message))
  if (output.json) printJson(output, { _id: id, deleted: true })
  else if (!output.isTerminal || output.isQuiet) output.print(shownId)
}
