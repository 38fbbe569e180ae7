import { openTestQueue } from '../support/test-world.ts'
import { describeJobQueueContract } from './job-queue.contract.ts'

describeJobQueueContract('The job queue', openTestQueue)
