export { ConfigError } from './config.ts'
export { type Crm, type CrmOptions, createCrm } from './create-crm.ts'
