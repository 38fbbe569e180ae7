/** The neutral package: the schemas of its files, without the file system (`package-folder` has it). */
export * from './package-lines.ts'
export * from './package-manifest.ts'
export * from './package-records.ts'
export * from './package-values.ts'
