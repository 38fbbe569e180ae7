interface Member {
  tenantId: string
}

/** A round-robin over tenants and, within each tenant, over its members. */
export class TenantRoundRobin<T extends Member> {
  // A map is iterated in the order of insertion: deleting the first tenant and setting it again puts it last.
  readonly #tenants = new Map<string, Set<T>>()

  get size(): number {
    return this.#tenants.size
  }

  /** Adds a member as its tenant's last; one that is in the round-robin already keeps its position. */
  push(member: T): void {
    const members = this.#tenants.get(member.tenantId)
    if (members) members.add(member)
    else this.#tenants.set(member.tenantId, new Set([member]))
  }

  /** Removes and returns the next member of the next tenant; undefined when there is none. */
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
