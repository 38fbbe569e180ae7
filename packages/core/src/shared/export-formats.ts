/** The file formats of an export. */
export const exportFormats = ['json', 'csv'] as const
export type ExportFormat = (typeof exportFormats)[number]
