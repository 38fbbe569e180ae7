/* Charsets of seven bits that `TextDecoder` refuses: they are read here only, and never written. */

/** Returns the text of UTF-7 (RFC 2152). Bytes that are not valid stay as they are. */
export function decodeUtf7(bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString('latin1')
  return text.replace(/\+([A-Za-z0-9+/]*)-?/g, (all, encoded: string) => {
    if (encoded === '') return all === '+-' ? '+' : all
    const utf16 = Buffer.from(encoded, 'base64')
    return utf16
      .subarray(0, utf16.length - (utf16.length % 2))
      .swap16()
      .toString('utf16le')
  })
}

/** Returns the text of ISO-2022-KR: shift-out and shift-in surround bytes of EUC-KR without their high bit. */
export function decodeIso2022Kr(bytes: Uint8Array): string {
  const plain: number[] = []
  let isShifted = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (byte === 0x1b && bytes[at + 1] === 0x24 && bytes[at + 2] === 0x29) at += 3
    else if (byte === 0x0e) isShifted = true
    else if (byte === 0x0f) isShifted = false
    else plain.push(isShifted && byte > 0x20 ? byte | 0x80 : byte)
  }
  return new TextDecoder('euc-kr').decode(Uint8Array.from(plain))
}

/** Returns the text of HZ (RFC 1843): `~{` and `~}` surround bytes of GB 2312 without their high bit. */
export function decodeHz(bytes: Uint8Array): string {
  const plain = Buffer.from(bytes)
    .toString('latin1')
    // bounded: the end of the text ends it too, so no beginning is without an end.
    .replace(/~\{([\s\S]*?)(?:~\}|$)|~~|~\n/g, (all, shifted: string | undefined) => {
      if (shifted === undefined) return all === '~~' ? '~' : ''
      return shifted.replace(/[\u0021-\u007e]/g, (char) => String.fromCharCode(char.charCodeAt(0) | 0x80))
    })
  return new TextDecoder('gbk').decode(Buffer.from(plain, 'latin1'))
}
