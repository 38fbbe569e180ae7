/** The folder of a package: writer and reader. Needs Node. */
export * from './package-archive.ts'
export * from './package-reader.ts'
export * from './package-writer.ts'
