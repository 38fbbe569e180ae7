/** The first bytes of a file, from which its type is detected; no format has its signature later. */
export const headBytesMax = 4_100

const unknownType = 'application/octet-stream'

/** Kinds of text that no program runs. They have no mark of their own, so here the sender is believed. */
const harmlessTexts: ReadonlySet<string> = new Set([
  'text/plain',
  'text/csv',
  'text/tab-separated-values',
  'text/markdown',
  'text/calendar',
  'text/vcard',
  'application/json',
])

/** Formats that are shown, played or unpacked. Every other signature counts as bytes without a type. */
const known = [
  /^image\/(?!svg)/,
  /^(audio|video|font)\//,
  /^application\/(pdf|rtf|epub\+zip|x-cfb|vnd\.(openxmlformats-officedocument|oasis\.opendocument|ms-[\w-]+)\b)/,
  /^application\/(zip|gzip|x-(tar|gtar|7z-compressed|rar-compressed|bzip2|xz|compress)|zstd)$/,
]

const notOfText = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f\u007f]/

function isText(head: Uint8Array, isWhole: boolean): boolean {
  try {
    // The last character of a part may be cut in two.
    return !notOfText.test(new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: !isWhole }))
  } catch {
    return false
  }
}

/**
 * Returns the content type that a file is served with. Its own bytes decide; the declared type counts only among
 * kinds of text that cannot do harm. HTML, SVG, XML and scripts are served as plain text, programs and unknown
 * formats as bytes.
 */
export async function sniffContentType(
  head: Uint8Array,
  { declared, isWhole }: { declared: string; isWhole: boolean },
): Promise<string> {
  // Loading takes about 50 ms: only a process that receives uploads pays for it.
  const { fileTypeFromBuffer } = await import('file-type')
  const marked = await fileTypeFromBuffer(head).catch(() => undefined)
  if (marked && known.some((pattern) => pattern.test(marked.mime))) return marked.mime
  if (!isText(head, isWhole)) return unknownType
  return harmlessTexts.has(declared) ? declared : 'text/plain'
}
