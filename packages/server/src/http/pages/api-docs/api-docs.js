// Signs in, keeps the session in this page's memory, and shows the reference. No cookie, no storage.
const form = document.querySelector('#sign-in')
const problem = document.querySelector('#problem')
const tenant = document.querySelector('#tenant')
const who = document.querySelector('#who')
const signOut = document.querySelector('#sign-out')

/** Where the API stands, wherever the service is mounted. */
const api = new URL('..', location.href)
let session
let reference

async function ask(path, { method = 'POST', body } = {}) {
  const response = await fetch(new URL(path, api), {
    method,
    headers: {
      ...(body && { 'Content-Type': 'application/json' }),
      ...(session && { Authorization: `Bearer ${session.accessToken}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const answer = await response.json()
  if (!response.ok) throw Object.assign(new Error(answer.error), { answer })
  return answer
}

/** An access token lives for minutes; the session is renewed a minute before. */
function renewLater() {
  setTimeout(
    async () => {
      if (!session) return
      try {
        session = (await ask('api/auth/refresh', { body: { refreshToken: session.refreshToken } })).data
        authorize()
        renewLater()
      } catch {
        location.reload()
      }
    },
    Math.max(10, session.expiresIn - 60) * 1000,
  )
}

function authorize() {
  reference.preauthorizeApiKey('session', session.accessToken)
}

async function show() {
  const spec = await ask('api-docs/spec.json', { method: 'GET' })
  form.hidden = true
  who.textContent = `${session.user.email}, ${session.tenant.name}`
  who.hidden = false
  signOut.hidden = false
  reference = window.SwaggerUIBundle({
    spec,
    dom_id: '#reference',
    deepLinking: true,
    tryItOutEnabled: true,
    displayRequestDuration: true,
    // From 150 open rows on Swagger UI draws only those in the window, and the search of a browser misses the others.
    docExpansion: 'none',
    filter: true,
    defaultModelsExpandDepth: 0,
    // The public validator is another origin.
    validatorUrl: null,
    onComplete: () => authorize(),
  })
  renewLater()
}

/** Shows the tenants of a person with several memberships. */
function offerTenants(tenants) {
  const choice = tenant.querySelector('select')
  choice.replaceChildren(...tenants.map(({ _id, name }) => new Option(`${name} (${_id})`, _id)))
  choice.disabled = false
  tenant.hidden = false
  problem.textContent = 'You belong to several tenants: choose one and sign in again.'
  choice.focus()
}

form.addEventListener('submit', async (event) => {
  event.preventDefault()
  problem.textContent = ''
  const { email, password, tenantId } = Object.fromEntries(new FormData(form))
  try {
    session = (await ask('api/auth/login', { body: { email, password, ...(tenantId && { tenantId }) } })).data
    form.reset()
    await show()
  } catch (error) {
    session = undefined
    problem.textContent = error.message
    const tenants = error.answer?.tenants
    if (tenants) offerTenants(tenants)
  }
})

signOut.addEventListener('click', async () => {
  await ask('api/auth/logout').catch(() => {})
  location.reload()
})
