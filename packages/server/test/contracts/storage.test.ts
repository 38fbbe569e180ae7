import { openTestStorage } from '../support/test-world.ts'
import { describeStorageContract } from './storage.contract.ts'

describeStorageContract('The storage', openTestStorage)
