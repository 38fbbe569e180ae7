import { defineTail } from './events/tail.ts'
import { defineNoun } from './factories/define-noun.ts'

export const defineEvents = defineNoun({
  name: 'event',
  examples: ['crm events tail'],
  commands: [defineTail],
})
