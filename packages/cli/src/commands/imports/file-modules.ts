/** The modules that a file can hold. */
export const fileModules = ['Contacts', 'Leads', 'Deals', 'Cases', 'Notes', 'Calls'] as const
export type FileModule = (typeof fileModules)[number]
