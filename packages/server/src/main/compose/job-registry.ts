import { deliverDueAttempts } from '../../delivery/webhooks/deliver-due-attempts.ts'
import { countConversations } from '../../features/analytics/figures/count-conversations.ts'
import { removeDueAttachments } from '../../features/attachments/remove-due-attachments.ts'
import { sendDueDrafts } from '../../features/conversations/drafts/send-due-drafts.ts'
import { wakeSnoozed } from '../../features/conversations/wake-snoozed.ts'
import { eraseNextOfAddress } from '../../features/customers/erase-address-task.ts'
import { eraseNextMails } from '../../features/customers/erase-mails-task.ts'
import { eraseNextOfPhone } from '../../features/customers/erase-phone-task.ts'
import { moveNextConversations } from '../../features/customers/move-task.ts'
import { returnNextRows } from '../../features/customers/return-rows-task.ts'
import { eraseSample } from '../../features/customers/samples/erase-sample-task.ts'
import { watchDoors } from '../../features/doors/watch-doors.ts'
import { emptyNextOfInbox } from '../../features/inboxes/empty-inbox.ts'
import { eraseNextOfUser } from '../../features/privacy/erase-user-task.ts'
import { exportTenants } from '../../features/tenant/exports/export-job.ts'
import { applyRetention } from '../../features/tenant/retention/retention-job.ts'
import { releaseNextOfUser } from '../../features/users/release-task.ts'
import { mailDueReplies } from '../../features/widget/mail-due-replies.ts'
import { runImports } from '../../imports/import-job.ts'
import type { JobDeclaration } from '../../jobs/background-job.ts'
import { countLabelDays } from '../../jobs/count-label-days.ts'
import { eraseNextOfConversation, eraseNextOfCustomer, eraseNextOfMessage } from '../../jobs/erase-task.ts'
import { createEventSequencer, sequencerPollMs } from '../../jobs/event-sequencer.ts'
import { removeExpired } from '../../jobs/remove-expired.ts'
import { runTasks, type TaskHandlers } from '../../jobs/run-tasks.ts'
import { fetchMail } from '../../mail/in/fetch/fetch-mail.ts'
import { processMails } from '../../mail/in/mail-turns.ts'
import { readSender } from '../../mail/in/read-sender.ts'
import { sendQueuedMail } from '../../mail/out/send-queued-mail.ts'
import type { JobBacklog } from '../../ports/job-backlog.ts'

/** The handler of each type of task. A task does the part of a change that is too much for one commit. */
export const taskHandlers: TaskHandlers = {
  releaseUser: releaseNextOfUser,
  moveConversations: moveNextConversations,
  returnRows: returnNextRows,
  emptyInbox: emptyNextOfInbox,
  eraseCustomer: eraseNextOfCustomer,
  eraseConversation: eraseNextOfConversation,
  eraseMessage: eraseNextOfMessage,
  eraseAddress: eraseNextOfAddress,
  erasePhone: eraseNextOfPhone,
  eraseUser: eraseNextOfUser,
  eraseMails: eraseNextMails,
  eraseSample,
}

/**
 * Every background job that workers run. The scheduler polls them and the job queue wakes them, both by these names;
 * a new job is a file with its `JobDeclaration` and a line here. The names are those of the jobs in Redis, so a
 * process of another version may know others.
 */
export const backgroundJobs = {
  deliveries: deliverDueAttempts,
  snoozes: wakeSnoozed,
  drafts: sendDueDrafts,
  tasks: runTasks({ handlers: taskHandlers, readSender }),
  attachments: removeDueAttachments,
  sweep: removeExpired,
  labelDays: countLabelDays,
  figures: countConversations,
  imports: runImports,
  chatMails: mailDueReplies,
  mail: sendQueuedMail,
  mails: processMails,
  mailboxes: fetchMail,
  doors: watchDoors,
  exports: exportTenants,
  retention: applyRetention,
} as const satisfies Readonly<Record<string, JobDeclaration>>

export type JobName = keyof typeof backgroundJobs
export const jobNames = Object.keys(backgroundJobs) as readonly JobName[]

/**
 * The one job that every process offers to run, also one that serves only requests. It has a loop of its own instead
 * of the scheduler's, because commits and notices of other processes wake it, and a lease lets one process work.
 */
export const eventSequencing = { pollEveryMs: sequencerPollMs, make: createEventSequencer } as const

/** The work that waits for each job that has some, by the name of the job. */
export const jobBacklogs: ReadonlyMap<JobName, JobBacklog> = new Map(
  jobNames.flatMap((job) => {
    const { backlog }: JobDeclaration = backgroundJobs[job]
    return 'none' in backlog ? [] : [[job, backlog] as const]
  }),
)
