import { describe, expect, it } from 'vitest'
import { newFileTenant } from '../support/import-files.ts'
import { useService } from '../support/use-service.ts'

/* A record joins a customer only when it can be the same person. */

const running = useService()

const lines = (...rows: string[]) => `${rows.join('\n')}\n`

async function importContacts(text: string) {
  const tenant = await newFileTenant(running.url)
  return tenant.importText('Contacts', text)
}

describe('people', () => {
  it('ten colleagues with one number are ten customers, and each is named with the candidates', async () => {
    const rows = Array.from({ length: 10 }, (_, index) => `${index},F${index},Colleague${index},+49 30 55500`)
    const text = lines('ID,First Name,Last Name,Phone', ...rows)
    const { customers, issues, listIssues } = await importContacts(text)
    expect(customers).toHaveLength(10)
    expect(issues.map(({ code, row }) => [code, row])).toEqual(
      Array.from({ length: 9 }, (_, index) => ['AMBIGUOUS_MATCH', index + 3]),
    )
    expect(issues[0]?.details).toEqual({ candidates: [customers[0]._id] })
    expect(issues[8]?.details?.candidates).toHaveLength(5)
    const filtered = await listIssues('?code=AMBIGUOUS_MATCH&limit=100')
    expect(filtered.body.data).toEqual(expect.arrayContaining(issues))
    expect((await listIssues('?code=NAME_DIFFERS')).body.data).toEqual([])
    const unknown = await listIssues('?code=NOTHING')
    expect(unknown.status).toBe(422)
    expect(unknown.body.details).toMatchObject([{ field: 'code', in: 'query' }])
  })

  it.each([
    ['equal but for case, accents and order', 'René,Müller', 'MULLER,Rene', 1],
    ['missing on one side', 'Ada,Lovelace', ',', 1],
    ['different', 'Ada,Lovelace', 'Grace,Hopper', 2],
    ['an initial', 'Ada,Lovelace', 'A.,Lovelace', 2],
    ['the same initial', 'A.,Lovelace', 'A.,Lovelace', 2],
  ])(
    'a number joins two people whose names are %s only when they can be one',
    async (_, first, second, count) => {
      const text = lines(
        'ID,First Name,Last Name,Phone',
        `1,${first},+49 30 55500`,
        `2,${second},+49 30 55500`,
      )
      expect((await importContacts(text)).customers).toHaveLength(count)
    },
  )

  it('a number never joins two people with different addresses, and says so', async () => {
    const text = lines(
      'ID,Last Name,Email,Phone',
      '1,Lovelace,a@x.example,+49 30 55500',
      '2,Lovelace,b@x.example,+49 30 55500',
    )
    const { customers, issues } = await importContacts(text)
    expect(customers).toHaveLength(2)
    expect(issues).toMatchObject([{ code: 'AMBIGUOUS_MATCH', row: 3 }])
  })

  it('an equal address joins two people with different names, with a warning', async () => {
    const text = lines('ID,Last Name,Email', '1,Lovelace,a@x.example', '2,Hopper,A@x.example')
    const { run, customers, issues } = await importContacts(text)
    expect(run.modules.Contacts).toMatchObject({ created: 1, merged: 1 })
    expect(customers).toMatchObject([{ profile: { lastName: 'Lovelace' } }])
    expect(issues).toMatchObject([
      { code: 'CONFLICT_KEPT', row: 3, severity: 'kept', column: 'Last Name' },
      { code: 'NAME_DIFFERS', row: 3, severity: 'warning' },
    ])
  })
})
