import { usageError } from '../../cli-error.ts'

/** The headers of a file with one "Name: value" a line. `flag` names the file in an error. */
export function parseHeaders(text: string, flag: string): Record<string, string> {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  const headers = lines.map((line, index): [string, string] => {
    const [, name, value] = /^([^:\s]+):\s*(.*?)\s*$/.exec(line) ?? []
    // The line itself may hold a secret.
    if (name === undefined || value === undefined)
      throw usageError(`Line ${index + 1} of ${flag} is not "Name: value".`)
    return [name, value]
  })
  return Object.fromEntries(headers)
}
