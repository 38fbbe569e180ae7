/** From the least to the most; the contract's own list would load its schemas. */
export const userRoles = ['viewer', 'agent', 'admin', 'owner'] as const
