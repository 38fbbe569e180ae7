import type { AttachmentKey, AttachmentStore } from '../../ports/attachment-store.ts'
import { headBytesMax, senderOfPieces } from './mail-identity.ts'

/** Returns the sender that the headers of a stored mail name; null where they name none, or the bytes are deleted. */
export async function readSender(
  attachments: Pick<AttachmentStore, 'read'>,
  key: AttachmentKey,
): Promise<string | null> {
  const bytes = await attachments.read(key)
  if (bytes === undefined) return null
  const pieces: Uint8Array[] = []
  let length = 0
  // The loop destroys the stream where it ends before the bytes do.
  for await (const piece of bytes) {
    pieces.push(piece)
    length += piece.length
    if (length >= headBytesMax) break
  }
  return senderOfPieces(pieces)
}
