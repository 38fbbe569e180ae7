import { expect, it } from 'vitest'
import { wantedRecords } from './email-check.ts'

const recordsOf = (host: string | null, door: { domain: string; host: string } | null = null) =>
  wantedRecords({ inboxId: 'inb_1', domain: 'example.com', dkim: null, host, door })

it.each([
  [null, 'v=spf1 mx ~all'],
  ['smtp.provider.example', 'v=spf1 mx a:smtp.provider.example ~all'],
  ['192.0.2.7', 'v=spf1 mx ip4:192.0.2.7 ~all'],
  ['2001:db8::7', 'v=spf1 mx ip6:2001:db8::7 ~all'],
  ['localhost', 'v=spf1 mx ~all'],
  ['smtp.gmail.com', 'v=spf1 mx include:_spf.google.com ~all'],
  ['notgmail.com', 'v=spf1 mx a:notgmail.com ~all'],
  ['email-smtp.eu-west-1.amazonaws.com', 'v=spf1 mx include:amazonses.com ~all'],
])('names the server %s in the record of SPF as a receiver can use it', (host, value) => {
  expect(recordsOf(host).find(({ purpose }) => purpose === 'spf')?.value).toBe(value)
})

it('asks for an MX record only where mail is received over SMTP, and takes no refusal of all mail for one', () => {
  expect(recordsOf(null).some(({ type }) => type === 'MX')).toBe(false)
  const record = recordsOf(null, { domain: 'in.example.com', host: 'crm.example.com' }).at(-1)
  expect(record).toMatchObject({ type: 'MX', name: 'in.example.com', value: '10 crm.example.com' })
  expect([['10 front.example'], ['0 .'], []].map((published) => record?.accepts?.(published))).toEqual([
    true,
    false,
    false,
  ])
})
