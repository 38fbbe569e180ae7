import type { ExportFormat } from '@crmkit/core'

export const exportContentTypes: Readonly<Record<ExportFormat, string>> = {
  json: 'application/json',
  csv: 'text/csv',
}

const chunkLength = 64 * 1024

/** Joins small texts into chunks. */
export async function* inChunks(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let chunk = ''
  for await (const text of texts) {
    chunk += text
    if (chunk.length < chunkLength) continue
    yield chunk
    chunk = ''
  }
  if (chunk !== '') yield chunk
}
