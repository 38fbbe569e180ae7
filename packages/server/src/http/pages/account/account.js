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
  const [firstName, lastName] = [byId('first-name')?.value, byId('last-name')?.value]
  return {
    token,
    password: byId('password').value,
    ...(tenantId && { tenantId }),
    ...(byId('separate')?.checked && { separate: true }),
    ...(firstName && { firstName }),
    ...(lastName && { lastName }),
  }
}

/** Shows the team, the colleague and the address of an invitation, and whether it can be accepted. */
async function describeInvitation() {
  const { status, body } = await post('invitation', { body: { token } })
  if (status !== 200) {
    show(body.error ?? 'The server refused the request.')
    return status === 429
  }
  const { tenant, inviter, email, firstName, lastName } = body.data
  byId('about').textContent = inviter
    ? `${inviter.name} invites ${email} to the team ${tenant.name}.`
    : `${email} is invited to the team ${tenant.name}.`
  byId('about').hidden = false
  byId('first-name').value = firstName ?? ''
  byId('last-name').value = lastName ?? ''
  // An invitation that names the person keeps the name.
  for (const [id, name] of [
    ['first-name', firstName],
    ['last-name', lastName],
  ])
    byId(id).readOnly = name !== null
  return true
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
  const { accessToken, refreshToken, user } = reply.body.data
  if (operation === 'accept-invite' && (await openConsole({ refreshToken, userId: user._id }))) return
  // Nobody uses the session, so the page leaves none behind.
  await post('logout', { accessToken }).catch(() => undefined)
  form.remove()
  show(done)
  await linkToConsole()
}

/** Goes on in the console, signed in. Returns false where it is switched off, or where somebody is signed in to it already. */
async function openConsole(session) {
  const key = `crm-console:${new URL('..', location.href).pathname.replace(/\/$/, '') || '/'}`
  try {
    if (isSession(localStorage.getItem(key)) || !(await hasConsole())) return false
    localStorage.setItem(key, JSON.stringify(session))
  } catch {
    return false
  }
  location.replace('../console/')
  return true
}

/** After a sign-out the console leaves a word in its place. */
function isSession(stored) {
  return stored !== null && typeof JSON.parse(stored) === 'object'
}

/** An operator may have switched the console off. */
async function hasConsole() {
  const { ok } = await fetch('../console/', { method: 'HEAD' }).catch(() => ({ ok: false }))
  return ok
}

async function linkToConsole() {
  if (!(await hasConsole())) return
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
  const isOpen = operation !== 'accept-invite' || (await describeInvitation().catch(() => true))
  form.hidden = !isOpen
}
