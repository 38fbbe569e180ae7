/** The data that a load needs: a key and a customer to read. */
export interface BenchTenant {
  key: string
  customerId: string
}

interface PostRequest {
  route: string
  token?: string | undefined
  body: object
}

/** Sends a request with a credential and returns the reply's data. Throws unless it succeeds. */
export async function post(
  url: string,
  { route, token = '', body }: PostRequest,
): Promise<Record<string, string>> {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
  const response = await fetch(url + route, { method: 'POST', headers, body: JSON.stringify(body) })
  const reply = (await response.json()) as { data: Record<string, string> }
  if (response.status !== 201) throw new Error(`${route}: ${JSON.stringify(reply)}`)
  return reply.data
}

/** Registers a tenant with a key of these permissions and one customer. */
export async function openTenant(
  url: string,
  permissions: readonly string[],
  email = 'bench@example.com',
): Promise<BenchTenant> {
  const owner = await post(url, {
    route: '/api/auth/register',
    body: { tenantName: 'Bench', email, password: crypto.randomUUID() },
  })
  const { key = '' } = await post(url, {
    route: '/api/tenant/api-keys',
    token: owner['accessToken'],
    body: { name: 'Bench', permissions },
  })
  const customer = await post(url, {
    route: '/api/v1/customers',
    token: key,
    body: { firstName: 'Ada', email: 'ada@example.com', customFields: { plan: 'pro' } },
  })
  return { key, customerId: customer['_id'] ?? '' }
}
