import { describeJobQueueContract } from '../../src/ports/job-queue.contract.ts'
import { openTestQueue } from '../support/test-world.ts'

describeJobQueueContract('The job queue', openTestQueue)
