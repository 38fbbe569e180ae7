import { type Command, Option, type OptionValues } from '@commander-js/extra-typings'
import type { Context } from '../../context.ts'
import { assertFields } from '../../output/assert-fields.ts'
import { cleanLine } from '../../output/clean-text.ts'
import { printSecret, type SecretKind, secretOf } from '../../output/print-secret.ts'
import { openClient } from '../../profile/open-client.ts'
import { savingSecret } from '../../prompts/secret-file.ts'
import { assertConfirmed, yesOption } from '../confirm.ts'
import { durationSeconds } from '../option-values.ts'
import { runAction } from '../run-action.ts'
import {
  addOperationCommand,
  type NoOptions,
  type NounCommand,
  type OperationSpec,
  sampleId,
  withArticle,
} from './add-command.ts'
import { type InputSpec, prepareCreate } from './create-command.ts'
import { kebab } from './field-options.ts'

interface SecretSpec<Created extends { readonly _id: string }> {
  readonly secret: SecretKind<Created>
  /** The option that names a file for the secret. */
  readonly file: 'key' | 'secret' | 'token'
}

interface SecretCreateSpec<
  Input,
  Created extends { readonly _id: string },
  Options extends OptionValues,
  Sent,
> extends InputSpec<Input, Created, Options, Sent>,
    SecretSpec<Created> {}

/** `crm NOUN create` for a record with a secret that the server shows once. */
export function createSecretCommand<
  Input extends object,
  Created extends { readonly _id: string },
  Options extends OptionValues = NoOptions,
  Sent extends object = Partial<Input> & Options,
>(spec: SecretCreateSpec<Input, Created, Options, Sent>): NounCommand {
  return (parent, noun) => {
    const description = `Create ${withArticle(noun)}.`
    const { command, valuesOf } = addOperationCommand(parent, spec, {
      name: 'create',
      description,
      example: spec.operation.example,
    })
    addFileOption(command, spec.file).action((given, self) => {
      const { path, options } = withoutFile(given, spec.file)
      return runAction(self, async (context) => {
        assertFields(context.output, spec.operation.reply)
        const create = await prepareCreate(context, spec, valuesOf(options))
        await saveAndPrint(context, spec.secret, { path, create })
      })
    })
  }
}

interface RenewSpec<Input, Created extends { readonly _id: string }>
  extends Omit<OperationSpec<Input, Created, NoOptions>, 'fields'>,
    SecretSpec<Created> {
  /** Default: the name of the operation. */
  readonly name?: string
  /** Adds `--overlap` and, for the overlap 0, a question with `--yes`. */
  readonly overlap?: {
    /** The description of `--overlap`. */
    readonly description: string
    /** `id` has no control characters. */
    readonly question: (id: string) => string
  }
}

/** `crm NOUN NAME ID`: makes a new secret for a record that exists. */
export function renewSecretCommand<Input, Created extends { readonly _id: string }>(
  spec: RenewSpec<Input, Created>,
): NounCommand {
  const { overlap, file, operation, name = kebab(operation.name) } = spec
  return (parent, noun) => {
    const { command } = addOperationCommand<Input, Created, NoOptions>(
      parent,
      { ...spec, operation: { ...operation, fields: [] } },
      { name, description: `${operation.summary}.`, example: sampleId(noun) },
    )
    const withId = command.argument('<id>', `the id of the ${noun.name}`)
    if (overlap) withId.option('--overlap <time>', overlap.description, durationSeconds)
    addFileOption(withId, file)
    if (overlap) withId.addOption(yesOption())
    withId.action((id, given, self) => {
      const { path, options } = withoutFile(given, file)
      return runAction(self, (context) => runRenew(context, spec, { ...(options as RenewOptions), id, path }))
    })
  }
}

interface RenewOptions {
  readonly overlap?: number | undefined
  readonly yes?: true | undefined
}

interface RenewRequest extends RenewOptions {
  readonly id: string
  readonly path: string | undefined
}

async function runRenew<Input, Created extends { readonly _id: string }>(
  context: Context,
  { operation, need = operation.need, overlap, secret }: RenewSpec<Input, Created>,
  { id, path, overlap: overlapSeconds, yes }: RenewRequest,
): Promise<void> {
  assertFields(context.output, operation.reply)
  if (overlap && overlapSeconds === 0) {
    const question = overlap.question(cleanLine(id))
    await assertConfirmed(context, { question, refusal: 'Nothing was changed.', yes })
  }
  const { call } = await openClient(context, need)
  const create = () => call((crm) => operation.send(crm, id, { overlapSeconds } as Input))
  await saveAndPrint(context, secret, { path, create })
}

interface SaveRequest<Created> {
  readonly path: string | undefined
  readonly create: () => Promise<Created>
}

async function saveAndPrint<Created extends { readonly _id: string }>(
  context: Context,
  kind: SecretKind<Created>,
  request: SaveRequest<Created>,
): Promise<void> {
  const saved = await savingSecret(context, { ...request, secretOf: (created) => secretOf(kind, created) })
  printSecret(context.output, kind, saved)
}

function addFileOption<Args extends unknown[]>(
  command: Command<Args, OptionValues>,
  word: string,
): Command<Args, OptionValues> {
  const description = `write the ${word} to a new file, mode 0600, instead of showing it`
  return command.addOption(new Option(`--${word}-file <file>`, description))
}

interface SplitOptions {
  readonly path: string | undefined
  readonly options: OptionValues
}

function withoutFile(given: OptionValues, word: string): SplitOptions {
  const { [`${word}File`]: path, ...options } = given
  return { path: path === undefined ? undefined : String(path), options }
}
