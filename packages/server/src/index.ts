export { ConfigError } from './main/config.ts'
export { type Crm, type CrmOptions, createCrm } from './main/create-crm.ts'
