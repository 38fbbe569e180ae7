interface Member {
  tenantId: string
}

/** A rotation over tenants and, within each, over its members. */
export class TenantRing<T extends Member> {
  // A map is walked in the order of insertion: taking the first and setting it again makes a ring of it.
  readonly #tenants = new Map<string, Set<T>>()

  get size(): number {
    return this.#tenants.size
  }

  /** Adds a member as its tenant's last; one that is in the ring keeps its place. */
  push(member: T): void {
    const members = this.#tenants.get(member.tenantId)
    if (members) members.add(member)
    else this.#tenants.set(member.tenantId, new Set([member]))
  }

  /** Takes the next member of the next tenant out. */
  shift(): T | undefined {
    for (const [tenantId, members] of this.#tenants) {
      this.#tenants.delete(tenantId)
      const [member] = members
      if (member === undefined) continue
      members.delete(member)
      if (members.size > 0) this.#tenants.set(tenantId, members)
      return member
    }
    return undefined
  }

  remove(member: T): void {
    const members = this.#tenants.get(member.tenantId)
    members?.delete(member)
    if (members?.size === 0) this.#tenants.delete(member.tenantId)
  }
}
