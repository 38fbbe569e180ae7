/** Of one file, in bytes. The service refuses a larger one after its upload; a person learns it before. */
export const fileBytesMax: number = 10 * 1024 * 1024
/** Files of one message. */
export const filesMax = 10
