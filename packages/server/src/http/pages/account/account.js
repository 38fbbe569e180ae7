const byId = (id) => document.getElementById(id)
const form = document.querySelector('form')
const button = form.querySelector('button')
const { operation, done } = document.body.dataset
const token = new URLSearchParams(location.hash.slice(1)).get('token')

function show(text) {
  byId('notice').textContent = text
}

/** Relative to the page, so it works under any mount path. */
async function post(path, { body, accessToken } = {}) {
  const response = await fetch(`../api/auth/${path}`, {
    method: 'POST',
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(accessToken && { authorization: `Bearer ${accessToken}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: await response.json() }
}

function bodyOf() {
  const tenantId = byId('tenant')?.value
  return {
    token,
    password: byId('password').value,
    ...(tenantId && { tenantId }),
    ...(byId('separate')?.checked && { separate: true }),
  }
}

/** A refusal may need one more choice of the person. */
function ask({ status, body }) {
  const { tenants } = body
  if (Array.isArray(tenants) && byId('tenant')) {
    byId('tenant').replaceChildren(...tenants.map(({ _id, name }) => new Option(name, _id)))
    byId('tenant-choice').hidden = false
    show('You belong to several teams. Choose one.')
    return
  }
  if (status === 401 && byId('separate-choice')) byId('separate-choice').hidden = false
  const [detail] = body.details ?? []
  show(detail ? `The ${detail.field} ${detail.message}.` : (body.error ?? 'The server refused the request.'))
}

async function submit() {
  const reply = await post(operation, { body: bodyOf() })
  if (reply.status !== 200) {
    ask(reply)
    return
  }
  // The page needs no session, so it leaves none behind.
  await post('logout', { accessToken: reply.body.data.accessToken }).catch(() => undefined)
  form.remove()
  show(done)
  await linkToConsole()
}

/** An operator may have switched the console off. */
async function linkToConsole() {
  const { ok } = await fetch('../console/', { method: 'HEAD' }).catch(() => ({ ok: false }))
  if (!ok) return
  const link = document.createElement('a')
  link.href = '../console/'
  link.textContent = 'Open the console'
  byId('notice').append(' ', link)
}

form.addEventListener('submit', async (event) => {
  event.preventDefault()
  button.disabled = true
  show('')
  try {
    await submit()
  } catch {
    show('The server could not be reached. Try again.')
  }
  button.disabled = false
})

if (token === null) show('This link is not complete. Open it again from the mail.')
else {
  // The token must not stay in the history of the browser.
  history.replaceState(null, '', location.pathname)
  form.hidden = false
}
