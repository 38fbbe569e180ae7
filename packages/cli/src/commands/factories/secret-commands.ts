import { type Command, Option, type OptionValues } from '@commander-js/extra-typings'
import type { Context } from '../../context.ts'
import { cleanLine } from '../../output/clean-text.ts'
import { printSecret, type SecretKind, secretOf } from '../../output/print-secret.ts'
import { type Need, openClient } from '../../profile/open-client.ts'
import { savingSecret } from '../../prompts/secret-file.ts'
import { assertConfirmed, yesOption } from '../confirm.ts'
import { durationSeconds } from '../option-values.ts'
import { runAction } from '../run-action.ts'
import { addCommand, type Call, type CommandWords, type NoOptions, type NounCommand } from './add-command.ts'
import { type InputSpec, prepareCreate } from './create-command.ts'

interface SecretSpec<Created extends { readonly _id: string }> {
  readonly secret: SecretKind<Created>
  /** The option that names a file for the secret. */
  readonly file: 'key' | 'secret' | 'token'
}

interface SecretCreateSpec<
  Created extends { readonly _id: string },
  Options extends OptionValues,
  Input,
  Asked extends string,
> extends InputSpec<Options, Input, Asked, Created>,
    SecretSpec<Created> {}

/** `crm NOUN create` for a record with a secret that the server shows once. */
export function createSecretCommand<
  Created extends { readonly _id: string },
  Options extends OptionValues = NoOptions,
  Input extends object = Options,
  Asked extends string = never,
>(spec: SecretCreateSpec<Created, Options, Input, Asked>): NounCommand {
  return (parent) => {
    const command = addCommand(parent, { ...spec, name: 'create' })
    addFileOption(command, spec.file).action((given, self) => {
      const { path, options } = withoutFile(given, spec.file)
      return runAction(self, async (context) => {
        const create = await prepareCreate(context, spec, options as Options)
        await saveAndPrint(context, spec.secret, { path, create })
      })
    })
  }
}

interface RenewSpec<Created extends { readonly _id: string }> extends CommandWords, SecretSpec<Created> {
  readonly name: string
  /** Default: any credential. */
  readonly need?: Need
  /** Adds `--overlap` and, for the overlap 0, a question with `--yes`. */
  readonly overlap?: {
    /** The description of `--overlap`. */
    readonly description: string
    /** `id` has no control characters. */
    readonly question: (id: string) => string
  }
  readonly send: (
    call: Call & { readonly id: string; readonly overlapSeconds: number | undefined },
  ) => PromiseLike<Created>
}

/** `crm NOUN NAME ID`: makes a new secret for a record that exists. */
export function renewSecretCommand<Created extends { readonly _id: string }>(
  spec: RenewSpec<Created>,
): NounCommand {
  const { overlap, file } = spec
  return (parent, noun) => {
    const command = addCommand(parent, spec).argument('<id>', `the id of the ${noun.name}`)
    if (overlap) command.option('--overlap <time>', overlap.description, durationSeconds)
    addFileOption(command, file)
    if (overlap) command.addOption(yesOption())
    command.action((id, given, self) => {
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

async function runRenew<Created extends { readonly _id: string }>(
  context: Context,
  { need, overlap, secret, send }: RenewSpec<Created>,
  { id, path, overlap: overlapSeconds, yes }: RenewRequest,
): Promise<void> {
  if (overlap && overlapSeconds === 0) {
    const question = overlap.question(cleanLine(id))
    await assertConfirmed(context, { question, refusal: 'Nothing was changed.', yes })
  }
  const { call, credential } = await openClient(context, need)
  const create = () => call((crm) => send({ crm, credential, id, overlapSeconds }))
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
