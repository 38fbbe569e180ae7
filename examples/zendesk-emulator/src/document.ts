import { openDocument } from './records.ts'

export const { documentedFields, record } = openDocument(new URL('../fields.json', import.meta.url))
