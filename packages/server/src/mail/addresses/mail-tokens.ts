import { completeEmail, mailProviderServers } from '@crmkit/core'
import type { Clock } from '../../ports/clock.ts'
import { SourceFailure } from '../../ports/connector.ts'
import type { MailAccess, MailSignIns } from '../../ports/mail-sign-in.ts'
import { MailboxFailure } from '../../ports/mail-source.ts'
import type { MailTokens } from '../../ports/mail-tokens.ts'
import type { SecretBox } from '../../ports/secret-box.ts'
import type { Storage } from '../../ports/storage.ts'
import { isoTime } from '../../shared/clock.ts'
import { HeldSecrets } from '../../shared/held-secrets.ts'
import { type MailGrant, openMailSecrets, sealMailSecrets } from '../../shared/mail-secrets.ts'
import { reachSource } from '../../shared/reach-source.ts'
import { VersionConflict } from '../../storage/errors.ts'
import type { InboxRecord } from '../../storage/kinds/inboxes.ts'
import type { Stored, TenantId } from '../../storage/records.ts'

/** A token that ends while a connection is made is no use. */
const earlyMs = 5 * 60_000
/** A refresh token that the provider replaced is stored so often: each time the readers of the mailbox begin again. */
const storeAfterMs = 24 * 3_600_000
const conflictsMax = 5

interface GrantedTokensParts {
  storage: Pick<Storage, 'forTenant'>
  secrets: SecretBox
  signIns: MailSignIns
  clock: Clock
}

interface Granted {
  tenantId: TenantId
  inbox: InboxRecord
  grant: MailGrant
}

/** Access tokens of the grants of people. They stay in the memory of this process, and the work of one inbox shares a refresh under way. */
export class GrantedTokens implements MailTokens {
  readonly #parts: GrantedTokensParts
  readonly #held: HeldSecrets<string>
  readonly #running = new Map<string, Promise<MailAccess>>()

  constructor(parts: GrantedTokensParts) {
    this.#parts = parts
    this.#held = new HeldSecrets(parts.clock)
  }

  placeOf(server: 'imap' | 'smtp') {
    return this.#parts.signIns.placeOf(server)
  }

  async of(tenantId: TenantId, inbox: InboxRecord): Promise<string> {
    const { grant } = openMailSecrets(this.#parts.secrets, inbox)
    if (grant === undefined)
      throw new MailboxFailure('Nobody has signed in at the provider of the mailbox.', {
        isSignInRefused: true,
      })
    const key = keyOf(inbox)
    const held = this.#held.get(key)
    if (held !== undefined) return held
    const running = this.#running.get(key) ?? this.#refresh({ tenantId, inbox, grant })
    this.#running.set(key, running)
    try {
      const { accessToken, expiresAtMs } = await running
      this.#held.hold(key, accessToken, expiresAtMs - earlyMs)
      return accessToken
    } finally {
      this.#running.delete(key)
    }
  }

  forget(inbox: InboxRecord): void {
    this.#held.forget(keyOf(inbox))
  }

  async #refresh(granted: Granted): Promise<MailAccess> {
    const { signIns, clock } = this.#parts
    const { tenantId, grant } = granted
    const { provider, refreshToken } = grant
    const { name } = mailProviderServers[provider]
    try {
      const access = await reachSource((signal) =>
        signIns.refresh({ provider, tenantId, refreshToken, signal }),
      )
      const isOld = Date.parse(grant.storedAt) + storeAfterMs <= clock.nowMs()
      if (access.refreshToken !== undefined && access.refreshToken !== refreshToken && isOld)
        await this.#store(granted, access.refreshToken)
      return access
    } catch (error) {
      if (!(error instanceof SourceFailure)) throw error
      if (error.kind !== 'auth')
        throw new MailboxFailure(`${name} cannot be asked for access to the mailbox at present.`)
      await this.#noteEnd(granted)
      throw new MailboxFailure(`${name} has ended the sign-in to the mailbox: sign in again.`, {
        isSignInRefused: true,
      })
    }
  }

  /** Nothing is written when somebody has signed in meanwhile. */
  #store(granted: Granted, refreshToken: string) {
    return this.#change(granted, (row) => {
      const secrets = openMailSecrets(this.#parts.secrets, row)
      const grant = { ...granted.grant, refreshToken, storedAt: isoTime(this.#parts.clock.nowMs()) }
      return { mailSecrets: sealMailSecrets(this.#parts.secrets, row, { ...secrets, grant }) }
    })
  }

  #noteEnd(granted: Granted) {
    return this.#change(granted, (row) => {
      const email = completeEmail(row.email)
      const ended = <S extends { auth: string; status: { reauthRequired: boolean } }>(server: S | null) =>
        server && server.auth === 'oauth'
          ? { ...server, status: { ...server.status, reauthRequired: true } }
          : server
      return { email: { ...email, imap: ended(email.imap), smtp: ended(email.smtp) } }
    })
  }

  async #change(
    { tenantId, inbox: { _id: id }, grant: before }: Granted,
    changeOf: (row: Stored<InboxRecord>) => Partial<InboxRecord>,
  ): Promise<void> {
    const store = this.#parts.storage.forTenant(tenantId)
    for (let conflicts = 0; ; conflicts++) {
      const row = await store.inboxes.find(id)
      if (row === undefined) return
      const { grant } = openMailSecrets(this.#parts.secrets, row)
      if (grant?.refreshToken !== before.refreshToken) return
      const set = changeOf(row)
      const write = { op: 'update', kind: 'inboxes', id, expectVersion: row.version, set } as const
      try {
        return await store.commit({ writes: [write], events: [] })
      } catch (error) {
        if (!(error instanceof VersionConflict) || conflicts >= conflictsMax) throw error
      }
    }
  }
}

/** Another sign-in has tokens of its own. */
function keyOf({ tenantId, _id, email }: InboxRecord): string {
  return `${tenantId} ${_id} ${email?.oauth?.grantedAt}`
}
