import { type CorpusMail, mail, multipart } from './corpus-mail.ts'

/** The bytes of a text, with the label that senders give them. */
const charsets: readonly (readonly [label: string, hex: string, text: string])[] = [
  ['utf-8', '4772c3bcc39f6520e282ac', 'Grüße €'],
  ['UTF8', '4772c3bcc39f65', 'Grüße'],
  ['us-ascii', '4772c3b6c39f65', 'Größe'],
  ['iso-8859-1', '4772fcdf65', 'Grüße'],
  ['ISO_8859-1', 'e9e8ea', 'éèê'],
  ['iso-8859-1', '9368699420', '“hi”'],
  ['iso-8859-2', 'a1b1e8', 'Ąąč'],
  ['iso-8859-3', 'a6b6', 'Ĥĥ'],
  ['iso-8859-4', 'a2b3', 'ĸŗ'],
  ['iso-8859-5', 'bfe0d8d2d5e2', 'Привет'],
  ['iso-8859-7', 'c3e5e9dc', 'Γειά'],
  ['iso-8859-8', 'f9ece5ed', 'שלום'],
  ['iso-8859-9', 'fdfef0', 'ışğ'],
  ['iso-8859-10', 'a1b1', 'Ąą'],
  ['iso-8859-13', 'd0f0', 'Šš'],
  ['iso-8859-15', 'a4', '€'],
  ['iso-8859-16', 'aaba', 'Șș'],
  ['windows-1250', '9c9f', 'śź'],
  ['windows-1251', 'cff0e8e2e5f2', 'Привет'],
  ['cp1252', '80209361 94'.replace(' ', ''), '€ “a”'],
  ['windows-1253', 'c3e5e9dc', 'Γειά'],
  ['windows-1254', 'fdfef0', 'ışğ'],
  ['windows-1255', 'f9ece5ed', 'שלום'],
  ['windows-1256', 'e3d1cdc8c7', 'مرحبا'],
  ['windows-1257', 'd0f0', 'Šš'],
  ['windows-1258', 'd0f0', 'Đđ'],
  ['windows-874', 'cac7d1cab4d5', 'สวัสดี'],
  ['koi8-r', 'f0d2c9d7c5d4', 'Привет'],
  ['koi8-u', 'f0d2c9d7a6d4', 'Привіт'],
  ['x-mac-roman', '4772 9fa765'.replace(' ', ''), 'Grüße'],
  ['cp437', '81e184', 'üßä'],
  ['cp850', '81e19b', 'üßø'],
  ['cp852', 'a76c759c6f759f6bec206b85e5', 'žluťoučký kůň'],
  ['cp857', '499f8d6b', 'Işık'],
  ['x-mac-ce', 'ec6c75e96f758b6bf9206bf3cb', 'žluťoučký kůň'],
  ['shift_jis', '93fa967b8cea', '日本語'],
  ['iso-2022-jp', '1b2442467c4b5c386c1b2842', '日本語'],
  ['euc-jp', 'c6fccbdcb8ec', '日本語'],
  ['ks_c_5601-1987', 'c7d1b1db', '한글'],
  ['ks_c_5601-1987', 'bc84bdc32094ee208c63b9e6b0a2c7cf', '펲시 뷁 똠방각하'],
  ['euc-kr', 'c65294ee8141', '힣뷁갂'],
  ['iso-2022-kr', '1b2429430e4751315b0f', '한글'],
  ['gb2312', 'c4e3bac3', '你好'],
  ['gb18030', 'c4e3813 08436'.replace(' ', ''), '你¥'],
  ['hz-gb-2312', Buffer.from('~{Dc:C~}').toString('hex'), '你好'],
  ['big5', 'a741a66e', '你好'],
  ['utf-7', Buffer.from('Gr+APwA3w-e').toString('hex'), 'Grüße'],
  ['utf-16', Buffer.from('Hé', 'utf16le').toString('hex'), 'Hé'],
]

/** The text in the subject, in the body and in the name of a file. */
export const charsetMails: readonly CorpusMail[] = charsets.map(([label, hex, text], index) => {
  const bytes = Buffer.from(hex, 'hex')
  const word = `=?${label}?B?${bytes.toString('base64')}?=`
  const parts = multipart('mixed', [
    { type: `text/plain; charset="${label}"`, body: bytes },
    {
      type: 'application/octet-stream',
      headers: [`Content-Disposition: attachment; filename="${word}.bin"`],
      body: Buffer.from('x'),
    },
  ])
  const headers = [...parts.headers, `Subject: ${word}`, `From: ${word} <ada@example.com>`]
  return {
    name: `charset ${index + 1}: ${label}`,
    raw: mail({ headers, body: parts.body }),
    expected: {
      subject: text,
      content: text,
      from: [{ address: 'ada@example.com', name: text }],
      files: [{ filename: `${text}.bin` }],
    },
  }
})
