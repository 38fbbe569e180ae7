export interface CallResponse {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
  body: any
}

export interface Call {
  method?: string
  path: string
  token?: string | undefined
  body?: unknown
  /** Sent as it is, instead of `body`. */
  rawBody?: string | Uint8Array<ArrayBuffer>
  /** Sent as multipart/form-data, instead of `body`. */
  form?: Readonly<Record<string, string | Blob>> | undefined
  headers?: Record<string, string>
}

/** How to wait, by the address of a service, until each event has its place in the log. */
const placed = new Map<string, () => Promise<void>>()

/**
 * A service gives an event its place soon after the change; whoever asks for the log here wants to see the change in it. Returns the end
 * of it: another program may get the port of a service that has stopped.
 */
export function beforeReadsOfTheLog(url: string, untilPlaced: () => Promise<void>): () => void {
  placed.set(url, untilPlaced)
  return () => void placed.delete(url)
}

/** One request over a real socket. */
export async function call(
  url: string,
  { method = 'GET', path, token, body, rawBody, form, headers = {} }: Call,
): Promise<CallResponse> {
  if (method === 'GET' && /^\/api\/v1\/events(\?|$)/.test(path)) await placed.get(url)?.()
  const hasBody = body !== undefined || rawBody !== undefined
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(hasBody && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(hasBody && { body: rawBody ?? JSON.stringify(body) }),
    ...(form && { body: formOf(form) }),
  })
  const text = await response.text()
  const isFile = response.headers.has('content-disposition')
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? undefined : isFile ? text : JSON.parse(text),
  }
}

function formOf(fields: Readonly<Record<string, string | Blob>>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  return form
}

/** Uploads a file and returns its resource. */
export async function upload(url: string, { token, file }: { token: string; file: File }) {
  const response = await call(url, { method: 'POST', path: '/api/v1/attachments', token, form: { file } })
  if (response.status !== 201) throw new Error(`No upload: ${JSON.stringify(response.body)}`)
  return response.body.data
}

let tenants = 0

export const password = 'correct horse battery'

/** Registers a tenant and returns its owner's session. */
export async function registerTenant(url: string) {
  tenants += 1
  const email = `owner${tenants}@example.com`
  const body = { tenantName: `Tenant ${tenants}`, email, password, firstName: 'Olive', lastName: 'Owner' }
  const response = await call(url, { method: 'POST', path: '/api/auth/register', body })
  if (response.status !== 201) throw new Error(`Registration failed: ${JSON.stringify(response.body)}`)
  return { email, token: response.body.data.accessToken as string, ...response.body.data }
}

export async function createKey(url: string, token: string, permissions: readonly string[]): Promise<string> {
  const body = { name: `Key with ${permissions.length} permissions`, permissions }
  const response = await call(url, { method: 'POST', path: '/api/tenant/api-keys', token, body })
  if (response.status !== 201) throw new Error(`No key: ${JSON.stringify(response.body)}`)
  return response.body.data.key
}
