import type { ImapFlow } from 'imapflow'

const uidMax = 2 ** 32 - 1
/** UIDs of one search: its response is short, whatever the folder holds. */
const searchedUids = 5_000

type Ask = <T>(work: () => Promise<T | false | undefined>) => Promise<T>
/** Returns UIDs above `after`, lowest first: those of the first range that holds any. */
type ListUids = (query: { after: number; since: string | undefined }) => Promise<number[]>

/** Searches the open folder of a client. */
export function createUidSearch(client: ImapFlow, ask: Ask): ListUids {
  const positions = () => (client.mailbox ? client.mailbox.exists : 0)

  async function uidAt(position: number): Promise<number | undefined> {
    const found = await ask(() => client.fetchAll(String(position), { uid: true }))
    return found.find(({ seq, uid }) => seq === position && isUid(uid))?.uid
  }

  /**
   * Returns the lowest UID from this one on; undefined when the folder ends before. UIDs may be millions apart, so it is looked
   * for by position, which no server changes at a FETCH (RFC 3501, 7.4.1).
   */
  async function nextUid(from: number): Promise<number | undefined> {
    const count = positions()
    let high = count
    let found = count === 0 ? undefined : await uidAt(high)
    if (found === undefined || found < from) return undefined
    for (let low = 1; low < high; ) {
      const middle = Math.floor((low + high) / 2)
      const uid = await uidAt(middle)
      // A server that does change them is asked for one range after the other.
      if (uid === undefined || positions() < count) return from
      if (uid >= from) [high, found] = [middle, uid]
      else low = middle + 1
    }
    return found
  }

  return async function listUids({ after, since }) {
    for (let first: number | undefined = after + 1; first !== undefined && first <= uidMax; ) {
      const [low, high] = [first, Math.min(first + searchedUids - 1, uidMax)]
      const query = { uid: `${low}:${high}`, ...(since !== undefined && { since: new Date(since) }) }
      const found = await ask(() => client.search(query, { uid: true }))
      const uids = [...new Set(found)].filter((uid) => isUid(uid) && uid >= low && uid <= high)
      if (uids.length > 0) return uids.sort((a, b) => a - b)
      first = await nextUid(high + 1)
    }
    return []
  }
}

function isUid(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) > 0 && (value as number) <= uidMax
}
