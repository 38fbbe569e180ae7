import { text as textOf } from 'node:stream/consumers'
import { type Command, InvalidArgumentError, Option } from '@commander-js/extra-typings'
import { usageError } from '../../cli-error.ts'
import type { Context } from '../../context.ts'
import { cleanLine, escapeJsonText } from '../../output/clean-text.ts'
import type { Output } from '../../output/output.ts'
import { printJson } from '../../output/print-json.ts'
import { openClient } from '../../profile/open-client.ts'
import { readGivenFile } from '../../prompts/read-secret.ts'
import { examples, runAction } from '../run-action.ts'
import { splitHeader } from '../webhooks/parse-headers.ts'
import { addField, addTypedField, type Fields, nestedFields } from './fields.ts'
import { printPages } from './print-pages.ts'
import type { SendRequest } from './send-request.ts'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
type Method = (typeof methods)[number]

interface ApiOptions {
  readonly field?: Fields | undefined
  readonly typedField?: Fields | undefined
  readonly input?: string | undefined
  readonly header?: Readonly<Record<string, string>> | undefined
  readonly paginate?: true | undefined
  readonly include?: true | undefined
}

export function defineApi(command: Command): void {
  command
    .description(
      'Send any request with the credential of the profile, and print the response. Fields become the query of a GET and the JSON body of every other method.',
    )
    .argument('<method>', `${methods.join(', ')}; a GET needs none`)
    .argument('[path]', 'such as /api/v1/customers; it can contain a query')
    .option(
      '-f, --field <key=value>',
      'a text; a.b=… makes nested fields; can be given several times',
      addField,
    )
    .option('-F, --typed-field <key=json>', 'JSON, such as limit=5 or tags=["vip"]', addTypedField)
    .addOption(
      new Option('--input <file>', 'read the body from a file; - is stdin').conflicts([
        'field',
        'typedField',
      ]),
    )
    .option('-H, --header <header>', '"Name: value"; can be given several times', addHeader)
    .addOption(
      new Option('--paginate', 'follow the cursors of a list and print its rows, one JSON object a line'),
    )
    .addOption(new Option('-i, --include', 'print status and headers first').conflicts('paginate'))
    .addHelpText(
      'after',
      examples(
        'crm api /api/v1/customers -f search=ada -F limit=5',
        'crm api POST /api/v1/customers -f firstName=Ada -F tags=\'["vip"]\'',
        'crm api GET /api/v1/conversations --paginate --json _id,subject',
        'echo \'{"firstName":"Ada"}\' | crm api POST /api/v1/customers --input - --include',
      ),
    )
    .action((first, second, options, self) =>
      runAction(self, (context) => callApi(context, { ...targetOf(first, second), options })),
    )
}

interface ApiRequest {
  readonly method: Method
  readonly path: string
  readonly options: ApiOptions
}

async function callApi(context: Context, { method, path, options }: ApiRequest): Promise<void> {
  const { output } = context
  const fields = nestedFields({ ...options.field, ...options.typedField })
  const { pathname, search } = pathOf(path)
  if (options.paginate && method !== 'GET') throw usageError('--paginate works only with GET.')
  const query = {
    ...(options.paginate ? { limit: 100 } : {}),
    ...search,
    ...(method === 'GET' ? fields : {}),
  }
  const body = method === 'GET' ? undefined : await bodyOf(options, fields)
  const client = await openClient(context)
  const send: SendRequest = (more) =>
    client.call((crm) =>
      crm
        .request(method, pathname, { query: { ...query, ...more }, body }, { headers: options.header })
        .withResponse(),
    )
  if (options.paginate) {
    await printPages(output, send)
    return
  }
  const { data, response } = await send({})
  if (options.include) printHead(output, response)
  printBody(output, data)
}

/** Refuses a full URL, which would send the credential to another server. */
function pathOf(path: string): { pathname: string; search: Record<string, string[]> } {
  if (!path.startsWith('/') || path.startsWith('//')) {
    throw usageError(
      `The path ${cleanLine(path)} does not start with one slash.`,
      'Example: /api/v1/customers.',
    )
  }
  const [pathname = '', search] = path.split(/\?(.*)/s)
  const params = new URLSearchParams(search)
  return {
    pathname,
    search: Object.fromEntries([...params.keys()].map((name) => [name, params.getAll(name)])),
  }
}

async function bodyOf({ input }: ApiOptions, fields: object): Promise<unknown> {
  if (input === undefined) return Object.keys(fields).length > 0 ? fields : undefined
  const text = input === '-' ? await textOf(process.stdin) : await readGivenFile(input)
  try {
    return JSON.parse(text)
  } catch {
    throw usageError('--input is not valid JSON.')
  }
}

function printHead(output: Output, response: Response): void {
  const headers = [...response.headers].map(([name, value]) => cleanLine(`${name}: ${value}`))
  output.print([cleanLine(`HTTP ${response.status} ${response.statusText}`), ...headers, ''].join('\n'))
}

function printBody(output: Output, data: unknown): void {
  if (output.isQuiet || data === undefined) return
  if (typeof data === 'object' && data !== null) printJson(output, data)
  else output.print(escapeJsonText(typeof data === 'string' ? cleanLine(data) : JSON.stringify(data)))
}

/** A path alone is a GET. */
function targetOf(first: string, second: string | undefined): Pick<ApiRequest, 'method' | 'path'> {
  if (second === undefined && first.startsWith('/')) return { method: 'GET', path: first }
  const method = methods.find((one) => one === first.toUpperCase())
  if (method === undefined) throw usageError(`${cleanLine(first)} is no method: ${methods.join(', ')}.`)
  if (second === undefined) throw usageError('The path is missing.', 'Example: /api/v1/customers.')
  return { method, path: second }
}

function addHeader(text: string, previous: Record<string, string> | undefined): Record<string, string> {
  const header = splitHeader(text)
  if (header === undefined) throw new InvalidArgumentError('Expected "Name: value".')
  const [name, value] = header
  // Every process of the machine can see flags.
  if (/^(authorization|cookie)$/i.test(name)) {
    throw new InvalidArgumentError('The credential comes from the profile or CRM_API_KEY, never from a flag.')
  }
  return { ...previous, [name]: value }
}
