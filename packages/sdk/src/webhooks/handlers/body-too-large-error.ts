/** The body of a delivery is longer than `bodyBytesMax`; the rest of it was not read. */
export class BodyTooLargeError extends Error {
  override readonly name = 'BodyTooLargeError'
}
