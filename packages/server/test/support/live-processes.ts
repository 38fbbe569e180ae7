import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { call, password, registerTenant } from './call.ts'
import { type LiveStream, openLiveStream } from './live-stream.ts'
import { dropDatabase, newDatabaseUrl } from './mongo-database.ts'
import { serverProgram, startProgram } from './programs.ts'

/** Starts two processes on one new database, until the test is over. */
async function startTwo(variables: Record<string, string>): Promise<[string, string]> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'crmkit-live-'))
  const databaseUrl = newDatabaseUrl()
  const start = () =>
    startProgram(serverProgram, ['start'], {
      PORT: '0',
      CRM_DATA_DIR: dataDir,
      CRM_DATABASE_URL: databaseUrl,
      CRM_JWT_SECRET: 'the tests sign the tokens of sessions with this',
      CRM_SECRETS_KEY: 'the tests seal the secrets of webhooks with this',
      CRM_LOG_LEVEL: 'error',
      ...variables,
    })
  const programs = [await start(), await start()] as const
  onTestFinished(async () => {
    await Promise.all(programs.map((program) => program.kill('SIGTERM')))
    await dropDatabase(databaseUrl)
    rmSync(dataDir, { recursive: true, force: true })
  })
  return [programs[0].url, programs[1].url]
}

/**
 * Two processes: a user's session has its stream in one of them and works in the other one, and so does a second session
 * of the user. Checks that each live event crosses, and that another tenant's stream gets none.
 */
export async function checkTwoProcesses(variables: Record<string, string> = {}): Promise<void> {
  const [here, there] = await startTwo(variables)
  const [owner, stranger] = [await registerTenant(here), await registerTenant(here)]
  const { email } = owner.user
  const login = await call(there, { method: 'POST', path: '/api/auth/login', body: { email, password } })
  const second: string = login.body.data.accessToken
  const at = async (
    url: string,
    method: string,
    target: string,
    { body, token = owner.token }: { body?: unknown; token?: string } = {},
  ) => {
    const response = await call(url, { method, path: target, body, token })
    expect(response.body).toMatchObject({ success: true })
    return response.body.data
  }
  const [inbox] = await at(here, 'GET', '/api/v1/inboxes')
  const { _id } = await at(here, 'POST', '/api/v1/conversations', {
    body: { subject: 'Help', inboxId: inbox._id },
  })
  const streams: LiveStream[] = []
  const follow = async (token: string) => {
    const stream = await openLiveStream(there, { token })
    streams.push(stream)
    await stream.waitForType('counts.changed', 1)
    return stream
  }
  onTestFinished(() => {
    for (const stream of streams) stream.close()
  })
  const [own, foreign] = [await follow(owner.token), await follow(stranger.token)]
  const conversation = `/api/v1/conversations/${_id}`

  // The process that has the stream renews the presence of which the other one was informed.
  await at(here, 'PUT', `${conversation}/presence`, { body: { state: 'viewing' } })
  await at(here, 'PUT', `${conversation}/presence`, { body: { state: 'replying' }, token: second })
  await expect
    .poll(() => own.all('presence.changed').at(-1)?.data.present)
    .toMatchObject([{ user: { _id: owner.user._id }, state: 'replying' }])
  await call(here, { method: 'POST', path: '/api/auth/logout', body: {}, token: second })
  await expect
    .poll(() => own.all('presence.changed').at(-1)?.data.present)
    .toMatchObject([{ user: { _id: owner.user._id }, state: 'viewing' }])

  await at(here, 'POST', `${conversation}/messages`, { body: { content: 'Hello?', direction: 'inbound' } })
  await at(here, 'POST', `${conversation}/unread`, {
    body: { messageId: (await at(here, 'GET', `${conversation}/messages`))[0]._id },
  })
  await own.waitForType('conversation.read', 1)
  const counts = async () => (await at(here, 'GET', '/api/v1/conversations/counts')).views
  await expect.poll(() => own.counts()).toEqual(await counts())
  expect((await counts())['open']).toMatchObject({ total: 1, unread: 1 })
  await at(here, 'POST', `${conversation}/read`)
  await expect.poll(() => own.counts()['open']).toMatchObject({ total: 1, unread: 0 })

  expect(foreign.types()).toEqual(['counts.changed'])
  expect(foreign.text()).not.toContain(_id)
}
