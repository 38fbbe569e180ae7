import type { Inbox } from '@crmkit/sdk'
import { describe, expect, test } from 'vitest'
import { emailBodyOf, mailValuesOf, passwordsOf, suggestedServer } from './inbox-mail-values.ts'

const status = { ok: null, checkedAt: null, error: null, reauthRequired: false }
const server = { auth: 'password', host: 'mail.shop.example', port: 993, security: 'tls', user: 'help' }
const stored = {
  address: 'help@shop.example',
  displayName: null,
  plusAddressing: true,
  authservIds: ['mx.shop.example'],
  replyToSenders: ['@forms.example'],
  signature: '**Shop**',
  sesTopicArn: null,
  sesConfigurationSet: null,
  transport: 'smtp',
  sendDelaySeconds: 10,
  reopenDays: 30,
  autoReply: { enabled: false, content: 'Thanks' },
  imap: {
    ...server,
    enabled: true,
    folder: 'INBOX',
    since: null,
    status: { ...status, lastMailAt: null },
  },
  smtp: { ...server, port: 465, status: { ...status, nextTryAt: null } },
  oauth: null,
  hasSmtpPassword: true,
  hasImapPassword: true,
  hasMailgunSigningKey: false,
  hasSendgridVerificationKey: false,
  eventsTokenMadeAt: null,
  inboundTokenPrefix: null,
  dkim: null,
  domainProvenAt: null,
  addressProvenElsewhere: false,
} satisfies Inbox['email']
const { status: _imap, ...imap } = stored.imap
const { status: _smtp, ...smtp } = stored.smtp

describe('the form of the e-mail settings', () => {
  test('sends back every setting as it was, also those without a field, and nothing that the service keeps', () => {
    const settings = {
      address: 'help@shop.example',
      displayName: null,
      plusAddressing: true,
      authservIds: ['mx.shop.example'],
      replyToSenders: ['@forms.example'],
      signature: '**Shop**',
      sesTopicArn: null,
      sesConfigurationSet: null,
      transport: 'smtp',
      sendDelaySeconds: 10,
      reopenDays: 30,
      autoReply: { enabled: false, content: 'Thanks' },
      imap,
      smtp,
    }
    expect(emailBodyOf({ email: stored }, mailValuesOf(stored))).toEqual(settings)
  })

  test('keeps the server of a transport that is switched off, and removes a mailbox that is not read any more', () => {
    const values = { ...mailValuesOf(stored), receives: 'nothing', sends: 'none' } as const
    expect(emailBodyOf({ email: stored }, values)).toMatchObject({ transport: 'none', smtp, imap: null })
  })

  test('keeps the folder and the beginning of a mailbox when a sign-in takes the place of the password', () => {
    const values = { ...mailValuesOf(stored), receives: 'signIn', sends: 'signIn' } as const
    expect(emailBodyOf({ email: stored }, values)).toMatchObject({
      transport: 'smtp',
      imap: { auth: 'oauth', folder: 'INBOX', since: null, enabled: true },
      smtp: { auth: 'oauth' },
    })
  })

  test('sends a password of a server in use alone', () => {
    const values = mailValuesOf(stored)
    expect(passwordsOf(values)).toBeUndefined()
    const typed = {
      ...values,
      imap: { ...values.imap, password: 'a' },
      smtp: { ...values.smtp, password: 'b' },
    }
    expect(passwordsOf(typed)).toEqual({ imapPassword: 'a', smtpPassword: 'b' })
    expect(passwordsOf({ ...typed, receives: 'nothing', sends: 'relay' })).toBeUndefined()
  })

  test('suggests a server of the domain, and never over one that a person has typed', () => {
    const empty = { host: '', port: 993, security: 'tls', user: '', password: '' } as const
    const of = { name: 'imap', address: 'help@shop.example' } as const
    expect(suggestedServer(empty, of)).toMatchObject({ host: 'imap.shop.example', user: 'help@shop.example' })
    const typed = { ...empty, host: 'mail.other.example' }
    expect(suggestedServer(typed, of)).toBe(typed)
    for (const address of ['', 'help', 'help@']) {
      expect(suggestedServer(empty, { name: 'smtp', address }), address).toBe(empty)
    }
  })
})
