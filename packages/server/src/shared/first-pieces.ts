import type { AttachmentKey, AttachmentStore } from '../ports/attachment-store.ts'

/** Returns the stored bytes up to the piece with which they are so many, in their pieces; undefined where they are deleted. */
export async function firstPieces(
  attachments: Pick<AttachmentStore, 'read'>,
  key: AttachmentKey,
  bytesMax: number,
): Promise<Uint8Array[] | undefined> {
  const bytes = await attachments.read(key)
  if (bytes === undefined) return undefined
  const pieces: Uint8Array[] = []
  let length = 0
  // The loop destroys the stream where it ends before the bytes do.
  for await (const piece of bytes) {
    pieces.push(piece)
    length += piece.length
    if (length >= bytesMax) break
  }
  return pieces
}
