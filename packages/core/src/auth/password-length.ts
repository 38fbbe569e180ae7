/** The fewest characters of a new password. Source: contract 3. */
export const passwordLengthMin = 10
