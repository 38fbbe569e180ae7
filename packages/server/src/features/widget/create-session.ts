import { hash, randomBytes } from 'node:crypto'
import { type createWidgetSession, Failure, type InputOf } from '@crmkit/core'
import { verifyUserToken } from '../../security/user-token.ts'
import { privateAddressMark } from '../../shared/address-block.ts'
import { isoTime } from '../../shared/clock.ts'
import { openIdentitySecrets, secretHashOf, validSecrets } from '../../shared/identity-secrets.ts'
import type { WidgetSession } from '../../storage/kinds/widget-sessions.ts'
import { anonymousSessionMs, signedSessionMs, widgetPersonId } from '../../storage/rules/widget.ts'
import { type SystemContext, type SystemHandler, type SystemOutcome, widgetOf } from '../system-handler.ts'
import { signPersonIn } from './sign-person-in.ts'

type Outcome = SystemOutcome<typeof createWidgetSession>
type Body = InputOf<typeof createWidgetSession>['body']

/** 256 random bits, of which only the hash is stored. */
const newToken = () => `wst_${randomBytes(32).toString('base64url')}`

export const handleCreateWidgetSession: SystemHandler<typeof createWidgetSession> = (ctx, { body }) => {
  const { userToken } = body
  return userToken ? beginSigned(ctx, { ...body, userToken }) : beginAnonymous(ctx, body)
}

const refused = (message: string) =>
  new Failure('AUTH_REQUIRED', message, { headers: { 'WWW-Authenticate': 'Bearer' } })

async function beginAnonymous(ctx: SystemContext, { profile, page }: Body): Promise<Outcome> {
  const { inbox, countSession } = widgetOf(ctx)
  if (inbox.widget.identityRequired) throw refused('This inbox takes only signed visitors: send a userToken')
  await countSession({ address: ctx.address })
  const { firstName = null, lastName = null, email = null } = profile ?? {}
  const begun = newSession(ctx, {
    visitorId: ctx.ids.next('vis'),
    profile: { firstName, lastName, email },
    page: page ?? null,
    addressMark: privateAddressMark(ctx.address),
    expiresAt: isoTime(ctx.nowMs + anonymousSessionMs),
  })
  return outcomeOf(ctx, begun, { customer: { _id: null, firstName: null } })
}

async function beginSigned(ctx: SystemContext, body: Body & { userToken: string }): Promise<Outcome> {
  const { inbox, tenantId, countSession } = widgetOf(ctx)
  const secrets = validSecrets(openIdentitySecrets(ctx.services.secrets, inbox), ctx.now)
  const user = verifyUserToken(body.userToken, { secrets, nowMs: ctx.nowMs })
  if (user === undefined) throw refused('The userToken is not valid or has expired')
  const personId = widgetPersonId({ inboxId: inbox._id, sub: user.sub })
  await countSession({ personId: `${tenantId}:${personId}` })
  const { person, customer, former, change, audit } = await signPersonIn(ctx, { personId, user })
  const begun = newSession(ctx, {
    visitorId: person.visitorId,
    formerVisitorId: former?.visitorId ?? null,
    customerId: customer._id,
    personId,
    secretHash: secretHashOf(user.secret),
    profile: { firstName: null, lastName: null, email: user.email },
    page: body.page ?? null,
    expiresAt: isoTime(ctx.nowMs + signedSessionMs),
  })
  const shown = { _id: customer._id, firstName: customer.profile.firstName }
  const outcome = outcomeOf(ctx, begun, { customer: shown })
  const writes = [...change.writes, ...(outcome.change?.writes ?? [])]
  return { ...outcome, change: { writes, events: change.events }, ...(audit && { audit }) }
}

interface Begun {
  token: string
  session: WidgetSession
}

function newSession(
  { ids, now, ...ctx }: SystemContext,
  given: Pick<WidgetSession, 'visitorId' | 'page' | 'expiresAt'> & Partial<WidgetSession>,
): Begun {
  const { tenantId, inbox } = widgetOf(ctx)
  const token = newToken()
  const session: WidgetSession = {
    _id: ids.next('wss'),
    tenantId,
    tokenHash: hash('sha256', token),
    inboxId: inbox._id,
    formerVisitorId: null,
    customerId: null,
    personId: null,
    secretHash: null,
    profile: null,
    lastSeenAt: now,
    createdAt: now,
    updatedAt: now,
    ...given,
  }
  return { token, session }
}

function outcomeOf(
  ctx: SystemContext,
  { token, session }: Begun,
  { customer }: { customer: { _id: string | null; firstName: string | null } },
): Outcome {
  const { tenantId } = widgetOf(ctx)
  const { expiresAt, personId } = session
  return {
    tenantId,
    change: { writes: [{ op: 'insert', kind: 'widgetSessions', row: session }], events: [] },
    reply: {
      success: true,
      data: { sessionToken: token, expiresAt, verified: personId !== null, customer },
    },
  }
}
