import { TextDecoder } from 'node:util'
import sax from 'sax'

export interface XmlListener {
  /** Names are without the prefix of their namespace. */
  open?(name: string, attributes: Readonly<Record<string, string>>): void
  close?(name: string): void
  text?(text: string): void
}

export interface XmlParser {
  write(text: string): void
  /** Throws when the text ends too early. */
  end(): void
}

/** No part of a workbook is nested deeper, and no element has more attributes. */
const depthMax = 100
const attributesMax = 500

/** Reads XML as it arrives. It knows no entities but those of XML itself. Throws at the first thing that is no XML. */
export function createXmlParser(listener: XmlListener): XmlParser {
  const parser = sax.parser(true, { position: false })
  let depth = 0
  let attributes = 0
  parser.onerror = (error) => {
    throw error
  }
  parser.onattribute = () => {
    attributes += 1
    if (attributes > attributesMax) throw new Error('An element has too many attributes')
  }
  parser.onopentag = (tag) => {
    attributes = 0
    depth += 1
    if (depth > depthMax) throw new Error('Elements are nested too deep')
    listener.open?.(localName(tag.name), tag.attributes as Record<string, string>)
  }
  parser.onclosetag = (name) => {
    depth -= 1
    listener.close?.(localName(name))
  }
  parser.ontext = (found) => listener.text?.(found)
  parser.oncdata = (found) => listener.text?.(found)
  return {
    write: (found) => void parser.write(found),
    end: () => void parser.close(),
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

/** Reads a small part of a workbook to its end. */
export async function readXml(bytes: AsyncIterable<Buffer>, listener: XmlListener): Promise<void> {
  const parser = createXmlParser(listener)
  for await (const text of textsOf(bytes)) parser.write(text)
  parser.end()
}

/** Returns a text that arrives in pieces: UTF-8, else what its byte order mark says. */
export async function* textsOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined
  for await (const chunk of bytes) {
    decoder ??= new TextDecoder(encodingOf(chunk))
    yield decoder.decode(chunk, { stream: true })
  }
  yield decoder?.decode() ?? ''
}

function encodingOf(chunk: Buffer): string {
  if (chunk[0] === 0xff && chunk[1] === 0xfe) return 'utf-16le'
  return chunk[0] === 0xfe && chunk[1] === 0xff ? 'utf-16be' : 'utf-8'
}
