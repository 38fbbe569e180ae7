import { InvalidArgumentError } from '@commander-js/extra-typings'
import type { CreateMessage } from '@crmkit/sdk'

type Choices = NonNullable<CreateMessage['choices']>

/** Parses `yes=Yes, please`; a repeated option adds to the list. */
export function addChoice(text: string, previous: Choices | undefined): Choices {
  const [, id, label] = /^([^=]+)=(.+)$/.exec(text) ?? []
  if (id === undefined || label === undefined)
    throw new InvalidArgumentError('Expected an id and a label, such as yes=Yes.')
  return [...(previous ?? []), { id: id.trim(), label: label.trim() }]
}
