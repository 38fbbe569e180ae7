import { describe, expect, it } from 'vitest'
import { decodeWords } from './encoded-words.ts'
import { readAddresses } from './mail-addresses.ts'

describe('a header with encoded words', () => {
  const cases: Record<string, [header: string, text: string]> = {
    'with one word': ['=?utf-8?Q?Gr=C3=BC=C3=9Fe?= an alle', 'Grüße an alle'],
    'with words that white space separates': ['=?utf-8?Q?Gr=C3=BC?= \t=?utf-8?Q?=C3=9Fe?=', 'Grüße'],
    'with a character that is split between two words': ['=?utf-8?B?R3LD?= =?utf-8?B?vMOfZQ==?=', 'Grüße'],
    'with words that nothing separates': ['=?utf-8?Q?a?==?utf-8?Q?b?=', 'ab'],
    'with spaces inside a word': ['=?iso-8859-1?Q?Sch=F6ne Gr=FC=DFe?=', 'Schöne Grüße'],
    'with a question mark inside a word': ['=?utf-8?Q?Really?_Yes?=', 'Really? Yes'],
    'with a language': ['=?utf-8*de?q?=C3=84?=', 'Ä'],
    'with the wrong charset': ['=?us-ascii?Q?Gr=C3=BC=C3=9Fe?=', 'Grüße'],
    'with a charset of shift states': [
      '=?iso-2022-jp?B?GyRCRnxLXBsoQg==?= =?iso-2022-jp?B?GyRCOGwbKEI=?=',
      '日本語',
    ],
    'in code page 850': ['=?cp850?Q?=81ber?=', 'über'],
    'with a character that is cut between two words of ISO-2022-JP': [
      '=?ISO-2022-JP?B?GyRCPSRN?=\r\n =?ISO-2022-JP?B?fSROJCo0aiQkGyhC?=',
      '修理のお願い',
    ],
    'with a word that has no end': ['=?utf-8?Q?open', '=?utf-8?Q?open'],
  }
  for (const [name, [header, text]] of Object.entries(cases)) {
    it(`is read right ${name}`, () => {
      expect(decodeWords(header)).toBe(text)
    })
  }

  it('cannot put an address into another one by an encoded comma or quote', () => {
    const name = `=?utf-8?Q?=22victim=40example.com=22_=3Cvictim=40example.com=3E=2C?=`
    const addresses = readAddresses([`${name} <attacker@example.net>`])
    expect(addresses.map(({ address }) => address)).toEqual(['attacker@example.net'])
  })

  it('gives the addresses of groups and of quoted names, each once', () => {
    const header = 'Team: a@example.com, "B, b" <B@Example.com>;, a@example.com, nobody, <>'
    expect(readAddresses([header])).toEqual([
      { address: 'a@example.com', name: null },
      { address: 'b@example.com', name: 'B, b' },
    ])
  })
})
