import { usageError } from '../cli-error.ts'

/** Refuses an update without a field: the server would report it as done. */
export function assertChange(body: object): void {
  if (Object.values(body).some((value) => value !== undefined)) return
  throw usageError('Nothing to change: give at least one field.', 'See --help for the fields.')
}
