/** The largest exact `total` of a list; see `totalIsEstimate`. */
export const exactTotalMax = 10_000
export const pageSizeMax = 100
