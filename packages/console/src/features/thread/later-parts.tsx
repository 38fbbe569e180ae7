/** Parts of a conversation that are loaded when one needs them: one file, so that no other one is divided for them. */

export { MailImages } from './mail-images.tsx'
export { Recipients } from './recipients.tsx'
