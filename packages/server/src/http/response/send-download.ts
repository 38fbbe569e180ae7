import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { create as contentDisposition } from 'content-disposition'
import type { Download } from '../../features/stream-handler.ts'
import type { Log } from '../../ports/log.ts'
import { downloadHeaders } from './send-reply.ts'

interface DownloadRequest {
  req: IncomingMessage
  res: ServerResponse
  download: Download
  /** The beginning of the response, as for every reply. */
  about: Parameters<typeof downloadHeaders>[0]
  log: Log
}

/** Headers that keep a browser from running a stranger's bytes, or from taking them for another type. */
function fileHeaders({ filename, contentType, size }: Download): Record<string, string> {
  const charset = contentType.startsWith('text/') ? '; charset=utf-8' : ''
  return {
    'Content-Type': contentType + charset,
    'Content-Disposition': contentDisposition(filename),
    'Content-Security-Policy': "sandbox; default-src 'none'",
    ...(size !== undefined && { 'Content-Length': `${size}` }),
  }
}

/**
 * Responds with a file. Throws only before the first byte is sent; a later failure cuts the connection, so that the
 * client cannot take a part for the whole file.
 */
export async function sendDownload({ req, res, download, about, log }: DownloadRequest): Promise<void> {
  const headers = { ...downloadHeaders(about), ...fileHeaders(download) }
  if (req.method === 'HEAD') {
    res.writeHead(200, headers).end()
    return
  }
  const bytes = await download.open()
  res.writeHead(200, headers)
  let failure: unknown
  async function* source(): AsyncGenerator<Uint8Array | string> {
    try {
      yield* download.size === undefined ? bytes : exactly(bytes, download.size)
    } catch (error) {
      failure = error
      throw error
    }
  }
  try {
    await pipeline(source, res)
  } catch {
    // Nothing failed here when the client has closed the connection.
    const fields = { err: failure, requestId: about.requestId, download: download.logName }
    if (failure !== undefined) log.error(fields, 'A download failed after its response had begun')
    res.destroy()
  }
}

/** Fails when the stream has another number of bytes than the head has announced: the client would wait without end. */
async function* exactly(
  bytes: AsyncIterable<Uint8Array | string>,
  size: number,
): AsyncGenerator<Uint8Array | string> {
  let left = size
  for await (const chunk of bytes) {
    left -= Buffer.byteLength(chunk)
    if (left < 0) break
    yield chunk
  }
  if (left !== 0) throw new Error('the file does not have the size that its row says')
}
