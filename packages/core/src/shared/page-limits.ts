/** How far lists count exactly (`total`), see `totalIsEstimate`. */
export const exactTotalMax = 10_000
export const pageSizeMax = 100
