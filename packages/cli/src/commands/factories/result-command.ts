import type { OptionValues } from '@commander-js/extra-typings'
import { assertFields } from '../../output/assert-fields.ts'
import type { Output } from '../../output/output.ts'
import { type Need, openClient } from '../../profile/open-client.ts'
import { runAction } from '../run-action.ts'
import {
  addOperationCommand,
  type Call,
  type NoOptions,
  type NounCommand,
  type OperationSpec,
  sampleId,
} from './add-command.ts'
import { kebab } from './field-options.ts'

export interface ResultSpec<Input, Reply, Options extends OptionValues>
  extends Omit<OperationSpec<Input, Reply, Options>, 'need'> {
  /** Default: the name of the operation. */
  readonly name?: string
  /** Default: the credential that the operation needs. */
  readonly need?: (id: string) => Need
  /** The description of the argument; default: "the id of the NOUN". */
  readonly id?: string
  /** Whether the command is about one resource, whose id is its argument; default: true. */
  readonly hasId?: false
  /** Default: the operation. */
  readonly send?: (
    call: Call & { readonly id: string; readonly input: Input & Options },
  ) => PromiseLike<Reply>
  /** Whether `print` prints the reply as it is; default: false. */
  readonly isRow?: true
  readonly print: (
    output: Output,
    reply: Reply,
    request: { readonly id: string; readonly input: Input & Options },
  ) => void | Promise<void>
}

/** `crm NOUN NAME ID`: a request whose reply is printed in a way of its own. */
export function resultCommand<Input, Reply, Options extends OptionValues = NoOptions>({
  need,
  id: argument,
  ...spec
}: ResultSpec<Input, Reply, Options>): NounCommand {
  const { operation, hasId = true, isRow, name = kebab(operation.name), print } = spec
  const send = spec.send ?? (({ crm, id, input }) => operation.send(crm, id, input))
  return (parent, noun) => {
    const { command, valuesOf } = addOperationCommand(parent, spec, {
      name,
      description: `${operation.summary}.`,
      example: hasId ? sampleId(noun) : undefined,
      isMandatory: true,
    })
    if (hasId) command.argument('<id>', argument ?? `the id of the ${noun.name}`)
    command.action((...given: unknown[]) => {
      const request = {
        id: hasId ? String(given[0]) : '',
        input: valuesOf(command.opts()) as Input & Options,
      }
      return runAction(command, async (context) => {
        assertFields(context.output, isRow ? operation.reply : undefined)
        const { call, credential } = await openClient(context, need?.(request.id) ?? operation.need)
        await print(context.output, await call((crm) => send({ crm, credential, ...request })), request)
      })
    })
  }
}
