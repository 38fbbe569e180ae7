import { openTestAttachments } from '../support/test-world.ts'
import { describeAttachmentStoreContract } from './attachment-store.contract.ts'

describeAttachmentStoreContract('The attachment store', openTestAttachments)
