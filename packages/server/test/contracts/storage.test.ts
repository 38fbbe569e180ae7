import { describeStorageContract } from '../../src/ports/storage.contract.ts'
import { openTestStorage } from '../support/test-world.ts'

describeStorageContract('The storage', openTestStorage)
