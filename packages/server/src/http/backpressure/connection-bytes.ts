import type { Socket } from 'node:net'

interface Handle {
  bytesWritten: number
  writeQueueSize: number
}

/**
 * Returns the number of written bytes that the kernel has taken. Only the handle knows it, and Node's own timeout asks it too: to
 * the stream a large write is one piece, which is there as a whole until its last byte has left.
 */
export function bytesTaken(socket: Socket & { _handle?: Handle | null }): number {
  const handle = socket._handle
  return handle ? handle.bytesWritten - handle.writeQueueSize : -1
}

/** Closes with a reset where that is possible: otherwise the kernel keeps the bytes that were not taken for minutes. */
export function cutConnection(socket: Socket): void {
  const isPlainTcp = socket.remoteFamily !== undefined && !('encrypted' in socket)
  if (isPlainTcp) socket.resetAndDestroy()
  else socket.destroy()
}
