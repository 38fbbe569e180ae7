import PostalMime, { type PostalMimeOptions } from 'postal-mime'
import { Base64Lines, type LineDecoder, PlainLines } from './line-decoders.ts'
import { MailRefused } from './mail-refused.ts'

/** One part of a mail, decoded from its transfer encoding. */
export interface MailPart {
  type: string
  /** `charset`, `name`, `format` and others of the content type. */
  typeParams: Readonly<Record<string, string>>
  disposition: string
  dispositionParams: Readonly<Record<string, string>>
  contentId: string | null
  bytes: Uint8Array
  parts: MailPart[]
}

const partsMax = 1_000
const decodedBytesMax = 60 * 1024 * 1024
const depthMax = 100

/**
 * The tree that the parser builds. The parser also renders texts from it, but knows fewer charsets than mail has, so
 * the texts are made here from the tree. The package is pinned to one version because of that.
 */
interface ParserNode {
  contentType: { parsed: { value: string; params: Record<string, string> } }
  contentDisposition: { parsed: { value: string; params: Record<string, string> } }
  contentTransferEncoding: { encoding: string }
  contentId?: string
  content: ArrayBuffer | null
  /** Null until the header has been read. */
  contentDecoder: LineDecoder | null
  childNodes: ParserNode[]
}

interface ParserInternals {
  root: ParserNode
  currentNode: ParserNode
  parse(bytes: Uint8Array): Promise<unknown>
  processLine(line: Uint8Array, isFinal: boolean): Promise<void>
}

const Parser = PostalMime as unknown as new (options: PostalMimeOptions) => ParserInternals

/** Builds the tree alone: rendering texts and reading addresses would cost as much again. */
class TreeParser extends Parser {
  #nodes = 0
  #last: ParserNode | undefined
  #decoder: LineDecoder | null = null

  /** Counts while it splits: a million empty parts would cost half a minute before anybody could count them. */
  override processLine(line: Uint8Array, isFinal: boolean): Promise<void> {
    const { currentNode } = this
    if (currentNode !== this.#last) {
      this.#last = currentNode
      this.#nodes += 1
      if (this.#nodes > 2 * partsMax) throw new MailRefused('too_complex')
    }
    if (currentNode.contentDecoder !== this.#decoder) {
      this.#decoder = ownDecoder(currentNode)
      currentNode.contentDecoder = this.#decoder
    }
    return super.processLine(line, isFinal)
  }

  async collectNode(): Promise<void> {}

  renderTextContent(): void {}

  buildMessage(): object {
    return {}
  }

  encodeAttachments(): void {}
}

/** Quoted-printable is decoded by the parser, in large pieces. */
function ownDecoder({
  contentDecoder,
  contentTransferEncoding: { encoding },
}: ParserNode): LineDecoder | null {
  if (contentDecoder === null || /quoted-printable/i.test(encoding)) return contentDecoder
  return /base64/i.test(encoding) ? new Base64Lines() : new PlainLines()
}

/** Reads the parts of a mail. Throws `MailRefused` for a mail with more parts, more bytes or more levels than the limits. */
export async function readTree(bytes: Uint8Array): Promise<MailPart> {
  const parser = new TreeParser({ forceRfc822Attachments: true, maxNestingDepth: depthMax })
  try {
    await parser.parse(bytes)
  } catch (error) {
    if (error instanceof Error && /nesting depth|header size/i.test(error.message)) {
      throw new MailRefused('too_complex')
    }
    throw error
  }
  const budget = { parts: partsMax, bytes: decodedBytesMax }
  return partOf(parser.root, budget)
}

function partOf(node: ParserNode, budget: { parts: number; bytes: number }): MailPart {
  const bytes = new Uint8Array(node.content ?? new ArrayBuffer(0))
  budget.parts -= 1
  budget.bytes -= bytes.length
  if (budget.parts < 0 || budget.bytes < 0) throw new MailRefused('too_complex')
  return {
    type: node.contentType.parsed.value.toLowerCase(),
    typeParams: node.contentType.parsed.params,
    disposition: node.contentDisposition.parsed.value.toLowerCase(),
    dispositionParams: node.contentDisposition.parsed.params,
    contentId: node.contentId?.trim().replace(/^<|>$/g, '') || null,
    bytes,
    parts: node.childNodes.map((child) => partOf(child, budget)),
  }
}
