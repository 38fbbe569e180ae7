import { expect, test } from 'vitest'
import { preparedReply } from './prepared-reply.ts'

const made = (record: Partial<Parameters<typeof preparedReply>[0]>) =>
  preparedReply({ id: '7', title: 'Repairs', content: 'Hello', ...record })

test('variables of other products become those here, with their defaults', () => {
  const contents = [
    'Dear {{ticket.requester.name}}, {{current_user.first_name}}',
    'Hi {{contact.first_name}} {{contact.name | upcase}}',
    'Hi {{ first_name | fallback:"there" }}',
    'Hi {{customer.firstName|there}}',
    `Hi {{first_name | default: "$&$'"}}`,
  ]
  expect(contents.map((content) => made({ content })?.content)).toEqual([
    'Dear {{customer.firstName}} {{customer.lastName}}, {{agent.firstName}}',
    'Hi {{customer.firstName}} {{customer.firstName}} {{customer.lastName}}',
    'Hi {{customer.firstName|there}}',
    'Hi {{customer.firstName|there}}',
    'Hi {{customer.firstName|$&$}}',
  ])
})

test('an unknown variable stands in brackets and is named', () => {
  expect(
    made({ content: "Due {{ticket.due_date}} {{dc.footer | upcase}} {{due | default: 'soon'}} {{}}" }),
  ).toMatchObject({
    content: 'Due [ticket.due_date] [dc.footer] soon []',
    unknown: ['ticket.due_date', 'dc.footer', ''],
  })
})

test('HTML becomes text, and a record without a text becomes nothing', () => {
  expect(made({ content: '<p>One</p><p>Two</p>', contentType: 'html' })).toMatchObject({
    content: 'One\n\nTwo',
    contentType: 'text',
  })
  expect(made({ content: ' <br> ', contentType: 'html' })).toBeUndefined()
})

test('a shortcut is the word of the source, else of the title, else of the id', () => {
  const first = (record: object) => made(record)?.shortcuts[0]
  expect(first({ shortcut: 'Hello World' })).toBe('hello-world')
  expect(first({ title: 'Émigré & Söhne' })).toBe('emigre-sohne')
  expect(first({ title: 'Καλημέρα' })).toBe('reply-7')
  expect(made({ title: 'x'.repeat(300) })?.shortcuts[1]).toBe(`${'x'.repeat(38)}-2`)
})
