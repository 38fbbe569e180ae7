import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { examples } from '../run-action.ts'
import { defineTail } from './tail.ts'

export function defineEvents(events: CommandUnknownOpts): void {
  events.addHelpText('after', examples('crm events tail'))
  defineTail(events)
}
