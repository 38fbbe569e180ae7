import { usageError } from '../../cli-error.ts'

/** The headers of a file with one "Name: value" a line. `flag` names the file in an error. */
export function parseHeaders(text: string, flag: string): Record<string, string> {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  const headers = lines.map((line, index): [string, string] => {
    const header = splitHeader(line)
    // The line itself may hold a secret.
    if (header === undefined) throw usageError(`Line ${index + 1} of ${flag} is not "Name: value".`)
    return header
  })
  return Object.fromEntries(headers)
}

/** Returns name and value of "Name: value", without the blanks around the value; undefined for any other text. */
export function splitHeader(text: string): [name: string, value: string] | undefined {
  const [, name, value] = /^([^:\s]+):(.*)$/.exec(text) ?? []
  return name === undefined || value === undefined ? undefined : [name, value.trim()]
}
