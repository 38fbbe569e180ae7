import type { Notices } from '../../ports/notices.ts'

/** For a service that is one process. */
export const noNotices: Notices = { publish() {}, listen: async () => {}, close: async () => {} }
