import type { AttachmentKey, AttachmentStore } from '../../ports/attachment-store.ts'
import { firstPieces } from '../../shared/first-pieces.ts'
import { headBytesMax, senderOfPieces } from './mail-identity.ts'

/** Returns the sender that the headers of a stored mail name; null where they name none, or the bytes are deleted. */
export async function readSender(
  attachments: Pick<AttachmentStore, 'read'>,
  key: AttachmentKey,
): Promise<string | null> {
  const pieces = await firstPieces(attachments, key, headBytesMax)
  return pieces === undefined ? null : senderOfPieces(pieces)
}
