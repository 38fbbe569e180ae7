import { foldEmail } from '@crmkit/core/vocabulary'
import { expect, test } from 'vitest'
import { emailForms } from './email-forms.ts'

test.each([
  ['info@Bücher.example', 'info@xn--bcher-kva.example'],
  ['a\u200bda@example.com', 'a\u200bda@example.com'],
  ['a@faß.de', 'A@FAß.de'],
])('the key that an earlier version stored for %j is found by %j', (stored, asked) => {
  expect(emailForms(asked)).toContain(foldEmail(stored))
})

test('an address in ASCII has one key', () => {
  for (const email of ['Ada@Example.com', 'a@1.2', 'ada', '']) expect(emailForms(email)).toHaveLength(1)
})
