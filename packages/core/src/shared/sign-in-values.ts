/** A sign-in at another service is over after so many minutes. */
export const signInMinutes = 10
