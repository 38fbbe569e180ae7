import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { create as contentDisposition } from 'content-disposition'
import type { Download } from '../../features/handler.ts'
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
  try {
    await pipeline(download.size === undefined ? bytes : exactly(bytes, download.size), res)
  } catch (error) {
    // A client that closes the connection has its bytes, or sends the request again.
    const isGone = (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE'
    if (!isGone) log.warn({ err: error, requestId: about.requestId }, 'A download broke off')
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
  if (left !== 0) throw new Error('the file has not the size that its row says')
}
