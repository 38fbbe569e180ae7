import { readFileSync } from 'node:fs'

interface Extract {
  readonly objects: Readonly<Record<string, readonly string[]>>
  readonly further: readonly { readonly object: string; readonly fields: readonly string[] }[]
}

export type Fields = Record<string, unknown>

/** Opens the fields that the documents of a vendor give its objects, for the emulators of several vendors. */
export function openDocument(file: URL) {
  const extract: Extract = JSON.parse(readFileSync(file, 'utf8'))
  const inDocument = (object: string) => extract.objects[object] ?? []
  /** The fields that the vendor's documents give an object. */
  const documentedFields = (object: string): readonly string[] => {
    const further = extract.further.flatMap((one) => (one.object === object ? one.fields : []))
    return [...inDocument(object), ...further]
  }
  return {
    documentedFields,
    /** Makes an object with every field of the document; a field that no document has is a mistake of the emulator. */
    record: (object: string, given: Fields): Fields => {
      const documented = new Set(documentedFields(object))
      const unknown = Object.keys(given).find((name) => !documented.has(name))
      if (unknown !== undefined) throw new Error(`No document gives ${object} the field ${unknown}`)
      return { ...Object.fromEntries(inDocument(object).map((name) => [name, null])), ...given }
    },
  }
}
