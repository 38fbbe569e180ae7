import type { OptionValues } from '@commander-js/extra-typings'
import type { MessageReply } from '@crmkit/sdk'
import type { Context } from '../../context.ts'
import { cleanLine } from '../../output/clean-text.ts'
import { printJson } from '../../output/print-json.ts'
import { type Need, openClient } from '../../profile/open-client.ts'
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

interface DeleteCall<Options> extends Call {
  readonly id: string
  readonly options: Options
}

interface DeleteSpec<Options extends OptionValues> extends CommandWords {
  /** Default: any credential. */
  readonly need?: Need
  /** `--yes` is added to these. */
  readonly options?: AddOptions<Options>
  /** Asked before anything is deleted; `shown` is the name with the id, without control characters. */
  readonly question: (shown: string) => string
  /** Returns the name that a person knows the resource by. */
  readonly nameOf: (call: Call & { readonly id: string }) => PromiseLike<string | null | undefined>
  readonly send: (call: DeleteCall<Options>) => PromiseLike<MessageReply>
}

/** `crm NOUN delete ID`: asks, deletes, and prints the server's sentence for people or the id for programs. */
export function deleteCommand<Options extends OptionValues = NoOptions>(
  spec: DeleteSpec<Options>,
): NounCommand {
  return (parent, noun) => {
    addCommand(parent, { ...spec, name: 'delete' })
      .argument('<id>', `the id of the ${noun.name}`)
      .addOption(yesOption())
      .action((id, given, self) => {
        const { yes, ...options } = given as Options & { readonly yes?: true | undefined }
        const request = { id, yes, options: options as unknown as Options }
        return runAction(self, (context) => runDelete(context, spec, request))
      })
  }
}

interface DeleteRequest<Options> {
  readonly id: string
  readonly yes: true | undefined
  readonly options: Options
}

async function runDelete<Options extends OptionValues>(
  context: Context,
  { need, question, nameOf, send }: DeleteSpec<Options>,
  { id, yes, options }: DeleteRequest<Options>,
): Promise<void> {
  const shownId = cleanLine(id)
  if (!yes) context.prompter.requireValues({ '--yes': undefined })
  const { call, credential } = await openClient(context, need)
  // A credential that may delete and not read gets the question with the id alone.
  const name = yes ? undefined : await call((crm) => nameOf({ crm, credential, id })).catch(() => undefined)
  const shown = name ? `${cleanLine(name)} (${shownId})` : shownId
  await assertConfirmed(context, { question: question(shown), refusal: 'Nothing was deleted.', yes })
  const reply = await call((crm) => send({ crm, credential, id, options }))
  const { output } = context
  output.say(cleanLine(reply.message))
  if (output.json) printJson(output, { _id: id, deleted: true })
  else if (!output.isTerminal || output.isQuiet) output.print(shownId)
}
