/** The fewest characters of a new password. Source: contract, section 3. */
export const passwordLengthMin = 10
