import type { Context } from '../../context.ts'
import { type Part, partNames } from './parts.ts'

export interface Choices {
  readonly only?: readonly Part[]
  readonly from?: string
  readonly to?: string
}

const texts: Readonly<Record<Part, string>> = {
  contacts: 'Contacts and leads',
  deals: 'Deals',
  tickets: 'Cases (tickets)',
  notes: 'Notes',
  activities: 'Calls, tasks and meetings',
}

/** Asks for the parts and the first day of an import, where a person is at the terminal and no flag names the parts. */
export async function askChoices<T extends Choices>({ prompter }: Context, given: T): Promise<T> {
  if (given.only !== undefined || !prompter.isInteractive) return given
  const choices = partNames.map((part) => ({ value: part, name: texts[part], isChosen: true }))
  const only = await prompter.choose('Parts to import', choices)
  if (given.from !== undefined || given.to !== undefined) return { ...given, only }
  const from = await prompter.text('Only records changed since this day, such as 2024-01-31 (empty: all)', {
    isOptional: true,
    problemOf: (text) => (text === '' || isDay(text) ? undefined : 'Type a day such as 2024-01-31.'),
  })
  return { ...given, only, ...(from !== '' && { from }) }
}

export function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))
}
