import { expect, test } from 'vitest'
import { call } from '../support/call.ts'
import { makeMailInbox } from '../support/mail-inbox.ts'
import { useService } from '../support/use-service.ts'
import { switchWidgetOn } from '../support/widget-visitor.ts'

/** No disk has so much free space. */
const service = useService({ CRM_DISK_FREE_MB: '999999999' })

test('a disk with little space takes nothing of strangers, and everything of the team', async () => {
  const { token, owner, mailOf, ask } = await makeMailInbox(service)
  const post = async () => {
    const headers = { 'Content-Type': 'message/rfc822' }
    const path = `/api/v1/inbound/email/${token}`
    const response = await fetch(service.url + path, { method: 'POST', headers, body: mailOf({}) })
    return [response.status, response.headers.get('retry-after')]
  }
  // The space is looked at a moment after the start.
  await expect.poll(post).toEqual([503, '60'])
  const { key: publicKey } = await switchWidgetOn(service.url, owner.token)
  const path = '/api/v1/widget/sessions'
  const session = await call(service.url, { method: 'POST', path, body: { publicKey } })
  expect([session.status, session.body.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
  expect((await ask('POST', '/api/v1/customers', { firstName: 'Ada' })).status).toBe(201)
  expect(await service.service.metrics()).toMatch(/^crm_refused_total\{budget="diskFree"\} [1-9]/m)
})
