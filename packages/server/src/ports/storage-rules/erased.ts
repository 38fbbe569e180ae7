/* What an erasure leaves behind, for every storage adapter alike. */

export const erasedText = 'The data of this event was erased before it could be delivered.'

/** The body of an event that tells no more than which one it was. */
export function erasedBody(body: string): string {
  const { id, event, timestamp, data } = JSON.parse(body) as {
    id: string
    event: string
    timestamp: string
    data?: { _id?: unknown } | null
  }
  return JSON.stringify({ id, event, timestamp, data: { _id: data?._id ?? null, erased: true } })
}

export function isErasedBody(body: string): boolean {
  if (!body.includes('"erased":true')) return false
  const { data } = JSON.parse(body) as { data?: { erased?: unknown } | null }
  return data?.erased === true && Object.keys(data).length === 2
}
