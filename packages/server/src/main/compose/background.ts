import { randomUUID } from 'node:crypto'
import { createDeliverDue } from '../../delivery/deliver-due.ts'
import { createRemoveDueAttachments } from '../../features/attachments/remove-due-attachments.ts'
import { createWakeSnoozed } from '../../features/conversations/wake-snoozed.ts'
import { moveNextConversations } from '../../features/customers/move-task.ts'
import { emptyNextOfInbox } from '../../features/inboxes/empty-inbox.ts'
import { releaseNextOfUser } from '../../features/users/release-task.ts'
import { eraseNextOfConversation, eraseNextOfCustomer } from '../../jobs/erase-task.ts'
import { replanAfterSetback } from '../../jobs/replan-after-setback.ts'
import { createRunTasks } from '../../jobs/run-tasks.ts'
import { createScheduler, type Scheduler } from '../../jobs/scheduler.ts'
import { createSweep } from '../../jobs/sweep.ts'
import { version } from '../version.ts'
import type { Parts } from './parts.ts'

/** Wires every background job of this process. */
export function composeScheduler(parts: Parts): Scheduler {
  const { storage, clock, ids, queue, log } = parts
  const deliveries = createDeliverDue({ ...parts, version })
  storage.onCommitted(deliveries.onCommitted)
  const snoozes = createWakeSnoozed({ storage, clock, ids })
  const taskSteps = {
    ...{
      releaseUser: releaseNextOfUser,
      moveConversations: moveNextConversations,
      emptyInbox: emptyNextOfInbox,
    },
    ...{ eraseCustomer: eraseNextOfCustomer, eraseConversation: eraseNextOfConversation },
  }
  const tasks = createRunTasks({ ...parts, holder: randomUUID(), steps: taskSteps })
  const sweep = createSweep({ system: storage.system, clock, holder: randomUUID() })
  const attachments = createRemoveDueAttachments(parts)
  const replanned = replanAfterSetback(deliveries, { system: storage.system, clock })
  const steps = { deliveries: replanned, snoozes, tasks, attachments, sweep }
  return createScheduler({ steps, queue, clock, log })
}
