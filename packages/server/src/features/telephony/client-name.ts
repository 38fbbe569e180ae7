interface Client {
  tenantId: string
  userId: string
}

/** Returns the name of a user's browser at the provider: letters, digits and underscores, at most 121. */
export function clientNameOf({ tenantId, userId }: Client): string {
  return `${tenantId}_${userId}`
}

/** Returns the user behind a `client:` address; undefined for any other address. */
export function clientOf(address: string): Client | undefined {
  const [, tenantId, userId] = /^client:(ten_[0-9A-Z]{26})_(usr_[0-9A-Z]{26})$/.exec(address) ?? []
  return tenantId === undefined || userId === undefined ? undefined : { tenantId, userId }
}
