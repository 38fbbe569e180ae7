import { crc32, deflateRawSync } from 'node:zlib'

interface Packed {
  name: Buffer
  bytes: Buffer
  size: number
  crc: number
  at: number
}

/** Makes an archive of entries by their names. */
export function zipOf(entries: Readonly<Record<string, string | Buffer>>): Buffer {
  const parts: Buffer[] = []
  const packed: Packed[] = []
  let at = 0
  for (const [name, content] of Object.entries(entries)) {
    const whole = Buffer.from(content as string)
    const entry = {
      name: Buffer.from(name),
      bytes: deflateRawSync(whole),
      size: whole.length,
      crc: crc32(whole),
      at,
    }
    const head = Buffer.alloc(30)
    head.writeUInt32LE(0x04034b50)
    writeFields(head, 4, entry)
    parts.push(head, entry.name, entry.bytes)
    at += 30 + entry.name.length + entry.bytes.length
    packed.push(entry)
  }
  const directory = Buffer.concat(packed.map(directoryEntryOf))
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50)
  end.writeUInt16LE(packed.length, 8)
  end.writeUInt16LE(packed.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...parts, directory, end])
}

/** Writes the fields that the entry and its place in the directory both have. */
function writeFields(head: Buffer, at: number, { name, bytes, size, crc }: Packed): void {
  head.writeUInt16LE(20, at)
  head.writeUInt16LE(0x800, at + 2)
  head.writeUInt16LE(8, at + 4)
  head.writeUInt32LE(crc, at + 10)
  head.writeUInt32LE(bytes.length, at + 14)
  head.writeUInt32LE(size, at + 18)
  head.writeUInt16LE(name.length, at + 22)
}

function directoryEntryOf(entry: Packed): Buffer {
  const head = Buffer.alloc(46)
  head.writeUInt32LE(0x02014b50)
  head.writeUInt16LE(20, 4)
  writeFields(head, 6, entry)
  head.writeUInt32LE(entry.at, 42)
  return Buffer.concat([head, entry.name])
}
