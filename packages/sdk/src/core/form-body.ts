/** A shorter stream is read first, so that it can be sent again. */
const repeatableMax = 16 * 1024 * 1024

/** The body of an upload: `multipart/form-data` of RFC 7578, with its file as the last part. */
export interface FormBody {
  /** The value of Content-Type. */
  readonly type: string
  /** False for a long stream: nothing is left of it once it was sent. */
  readonly isRepeatable: boolean
  /** The body for `fetch`. The file is read while it is sent: a form that the platform encodes is held in memory for each retry. */
  init(): RequestInit
}

export function isFormBody(body: unknown): body is FormBody {
  return typeof body === 'object' && body !== null && 'init' in body && typeof body.init === 'function'
}

export async function formBody(
  file: Blob | ReadableStream<Uint8Array>,
  filename: string | undefined,
  texts: unknown,
): Promise<FormBody> {
  const boundary = `crmkit-${randomHex()}`
  const part = (name: string, more: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${escaped(name)}"${more}\r\n\r\n`
  const fields = Object.entries(texts ?? {}).map(([name, text]) => `${part(name, '')}${text}\r\n`)
  const content = file instanceof Blob ? file : await startOf(file)
  const name = filename ?? (file instanceof Blob && 'name' in file ? String(file.name) : 'blob')
  const type = (file instanceof Blob && file.type) || 'application/octet-stream'
  const head = `${fields.join('')}${part('file', `; filename="${escaped(name)}"\r\nContent-Type: ${type}`)}`
  const tail = `\r\n--${boundary}--\r\n`
  const about = { type: `multipart/form-data; boundary=${boundary}` }
  if (content instanceof Blob) {
    const body = new Blob([head, content, tail])
    return { ...about, isRepeatable: true, init: () => ({ body }) }
  }
  const body = streamOf([head, ...content.start], content.rest, tail)
  return { ...about, isRepeatable: false, init: () => ({ body, duplex: 'half' }) as RequestInit }
}

interface LongStream {
  readonly start: Uint8Array<ArrayBuffer>[]
  readonly rest: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>
}

/** Returns a short stream as a whole, and of a long one what was read of it with the rest. */
async function startOf(file: ReadableStream<Uint8Array>): Promise<Blob | LongStream> {
  // A Response reads streams of Node too.
  const rest = new Response(file).body?.getReader()
  const start: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  while (rest !== undefined) {
    const { done, value } = await rest.read()
    if (done) break
    start.push(value)
    length += value.length
    if (length > repeatableMax) return { start, rest }
  }
  return new Blob(start)
}

function streamOf(start: (string | Uint8Array)[], rest: LongStream['rest'], tail: string): ReadableStream {
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      const first = start.shift()
      if (first !== undefined) {
        controller.enqueue(typeof first === 'string' ? encoder.encode(first) : first)
        return
      }
      const { done, value } = await rest.read()
      controller.enqueue(done ? encoder.encode(tail) : value)
      if (done) controller.close()
    },
    cancel: (reason) => rest.cancel(reason),
  })
}

/** As browsers write a name in a header of a part. */
function escaped(name: string): string {
  return name.replace(/\r\n|\r|\n/g, '%0D%0A').replace(/"/g, '%22')
}

function randomHex(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
