import type { Notices } from '../../ports/notices.ts'

/** The notices of a service that is a single process: there is no other to notify. */
export const noNotices: Notices = { publish() {}, listen: async () => {}, close: async () => {} }
