import { describeAttachmentStoreContract } from '../../src/ports/attachment-store.contract.ts'
import { openTestAttachments } from '../support/test-world.ts'

describeAttachmentStoreContract('The attachment store', openTestAttachments)
