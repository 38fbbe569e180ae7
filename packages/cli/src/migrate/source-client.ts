import { credentialRefused, RefusedError, sourceBusy, sourceFailed } from './source-error.ts'
import { isRow, type Row } from './values.ts'
import { Patience } from './waits.ts'

export interface SourceOptions {
  /** As people write it: Zendesk. */
  readonly productName: string
  /** The address of the account, which ends with a slash. */
  readonly base: URL
  /** The headers with the credential. They go to the host of `base` and to no other. */
  readonly headers: Readonly<Record<string, string>>
  /** Runs when the source asked for a pause. */
  readonly onWait?: (ms: number) => void
}

export interface SourceRequest {
  readonly query?: Readonly<Record<string, string | number | undefined>>
  /** Sent as JSON, by POST. */
  readonly body?: object
  /** The lists that the response must have. One without them is a failed try, never the end of a list. */
  readonly lists?: readonly string[]
  /** Whether a response is whole, where its lists are deeper in it. */
  readonly isComplete?: (answer: unknown) => boolean
}

/** One more try may succeed. */
class TryAgain extends Error {
  readonly headers: Headers | undefined
  readonly isLimit: boolean

  constructor(message: string, { headers, isLimit = false }: { headers?: Headers; isLimit?: boolean } = {}) {
    super(message)
    this.headers = headers
    this.isLimit = isLimit
  }
}

const timeoutMs = 60_000
const answerBytesMax = 128 * 1024 * 1024
/** Further tries after failures: with the waits between them about two minutes. */
const triesMax = 7

/** Asks the API of one account: waits as long as the source wants, tries again after failures, follows no redirect. */
export class SourceClient {
  readonly options: SourceOptions

  constructor(options: SourceOptions) {
    this.options = options
  }

  /** Returns the object that the source sends. Throws a `RefusedError` for 403, 404 and the like. */
  async ask(path: string, request: SourceRequest = {}): Promise<Row> {
    return rowOfAnswer(await this.askAny(path, request), path)
  }

  /** Returns whatever JSON the source sends. */
  async askAny(path: string, request: SourceRequest = {}): Promise<unknown> {
    const patience = new Patience(triesMax, this.options.onWait)
    for (;;) {
      try {
        return await this.#try(path, request)
      } catch (error) {
        if (!(error instanceof TryAgain)) throw error
        const end = await patience.end(error)
        if (end === 'failed') throw sourceFailed(error.message)
        if (end === 'waited') throw sourceBusy(this.options.productName)
      }
    }
  }

  async #try(
    path: string,
    { query = {}, body, lists = [], isComplete = () => true }: SourceRequest,
  ): Promise<unknown> {
    const { base, headers, productName } = this.options
    const url = new URL(path, base)
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, String(value))
    const response = await fetch(url, {
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        ...headers,
        Accept: 'application/json',
        ...(body && { 'Content-Type': 'application/json' }),
      },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    }).catch((error: unknown) => {
      throw new TryAgain(`${productName} could not be reached: ${reasonOf(error)}.`)
    })
    await this.#refuse(response, path)
    const answer = await jsonOf(response).catch((error: unknown) => {
      throw new TryAgain(`${productName} sent half of ${path}: ${reasonOf(error)}.`)
    })
    const missing = lists.find((name) => !isRow(answer) || !Array.isArray(answer[name]))
    if (missing !== undefined) throw new TryAgain(`${productName} answered ${path} without "${missing}".`)
    if (!isComplete(answer)) throw new TryAgain(`${productName} answered ${path} without its list.`)
    return answer
  }

  /** Throws for every response that is no success. */
  async #refuse(response: Response, path: string): Promise<void> {
    if (response.ok) return
    const { status, headers } = response
    const { productName } = this.options
    await response.body?.cancel().catch(() => undefined)
    if (status === 429) throw new TryAgain(`${productName} limits requests.`, { headers, isLimit: true })
    if (status >= 500 || status === 408 || status === 423 || status === 425)
      throw new TryAgain(`${productName} answered ${path} with ${status}.`, { headers })
    if (status === 401) throw credentialRefused(productName, 'it answered with 401.')
    if (status >= 300 && status < 400) {
      const to = URL.parse(headers.get('location') ?? '', response.url)?.host ?? 'nowhere'
      throw sourceFailed(
        `${productName} sends requests on to ${to}, and redirects are not followed.`,
        'Give the address of the account itself with --url.',
      )
    }
    throw new RefusedError(status, `${productName} answered ${path} with ${status}.`)
  }
}

function rowOfAnswer(answer: unknown, path: string): Row {
  if (isRow(answer)) return answer
  throw sourceFailed(`The answer to ${path} is no object.`)
}

async function jsonOf(response: Response): Promise<unknown> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > answerBytesMax) throw sourceFailed('The source sent a response of more than 128 MB.')
    chunks.push(chunk)
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8'))
}

export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  if (!(cause instanceof Error)) return error.message
  return cause.message || ('code' in cause ? String(cause.code) : error.message)
}
