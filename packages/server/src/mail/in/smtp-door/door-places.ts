import { addressGroup } from '../../../shared/address-block.ts'

export interface PlaceLimits {
  /** Of all senders together. */
  connections: number
  /** Of one address, or of one /64 network of IPv6. */
  connectionsPerAddress: number
  /** A connection that brings no mail for so long makes way, whatever else it says. */
  withoutMailMs: number
}

/** A connection that was let in. */
interface Place {
  group: string
  /** By `performance.now`: when it last named a sender or recipient, or sent a mail. */
  usedAt: number
  isReceiving: boolean
  timer: NodeJS.Timeout | undefined
}

/** Why a connection ends; the text goes behind 421. */
type End = (id: string, reason: string) => void

/**
 * The connections of the door, by the id of each. One address holds a few of them at most, and while all are taken, the one that
 * was unused for longest makes way for a new sender: nobody keeps others out by holding connections.
 */
export class DoorPlaces {
  readonly #limits: PlaceLimits
  readonly #end: End
  readonly #places = new Map<string, Place>()

  constructor(limits: PlaceLimits, end: End) {
    this.#limits = limits
    this.#end = end
  }

  /** Returns false for an address that holds its share already. */
  enter(id: string, address: string): boolean {
    const group = addressGroup(address).name
    const places = [...this.#places.values()]
    const held = places.filter((place) => place.group === group).length
    if (held >= this.#limits.connectionsPerAddress) return false
    if (places.length >= this.#limits.connections && !this.#makeWay()) return false
    const place: Place = { group, usedAt: performance.now(), isReceiving: false, timer: undefined }
    this.#places.set(id, place)
    this.#await(id, place)
    return true
  }

  /** Notes that the connection works towards a mail. */
  use(id: string): void {
    const place = this.#places.get(id)
    if (place) place.usedAt = performance.now()
  }

  /** A mail that is being received has its own time limit. */
  beginMail(id: string): void {
    const place = this.#places.get(id)
    if (place === undefined) return
    clearTimeout(place.timer)
    place.isReceiving = true
  }

  endMail(id: string): void {
    const place = this.#places.get(id)
    if (place === undefined) return
    place.isReceiving = false
    place.usedAt = performance.now()
    this.#await(id, place)
  }

  leave(id: string): void {
    clearTimeout(this.#places.get(id)?.timer)
    this.#places.delete(id)
  }

  #await(id: string, place: Place): void {
    const late = () => this.#remove(id, 'No mail came for too long')
    place.timer = setTimeout(late, this.#limits.withoutMailMs).unref()
  }

  /** Ends the connection that was unused for longest, of those that receive no mail at this moment. */
  #makeWay(): boolean {
    const idle = [...this.#places].filter(([, { isReceiving }]) => !isReceiving)
    const [longest] = idle.sort(([, one], [, other]) => one.usedAt - other.usedAt)
    if (longest === undefined) return false
    this.#remove(longest[0], 'Other senders wait for a connection')
    return true
  }

  #remove(id: string, reason: string): void {
    this.leave(id)
    this.#end(id, reason)
  }
}
