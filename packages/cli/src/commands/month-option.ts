import { InvalidArgumentError, Option } from '@commander-js/extra-typings'

export const monthOption = () =>
  new Option('--month <month>', 'such as 2026-11; default: this month').argParser(monthText)

function monthText(text: string): string {
  if (/^\d{4}-(0[1-9]|1[0-2])$/.test(text)) return text
  throw new InvalidArgumentError('Expected a month such as 2026-11.')
}
