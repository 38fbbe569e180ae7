import { z } from 'zod'
import { dateOrders } from '../integrations/integration-values.ts'
import { createdAt, ownId, updatedAt } from '../shared/common-fields.ts'
import { fileEncodings, fileFormats, fileModules, surveyStatuses } from './import-values.ts'

export const columnKinds = ['text', 'email', 'phone', 'number', 'date', 'id', 'choice', 'empty'] as const

const importColumn = z
  .object({
    position: z.int().describe('Position, from 1.'),
    name: z.string().describe('Header, or name of the field; unique in the file.'),
    filled: z.int().describe('Rows of `rowsRead` with a value.'),
    kind: z.enum(columnKinds).describe('Kind of the values.'),
    dateOrder: z
      .enum(['dmy', 'mdy'])
      .nullable()
      .describe('Order that the dates prove. Null: no value says it.'),
    chosenDateOrder: z
      .enum(dateOrders)
      .nullable()
      .describe(
        'Order that a person chose for this column. Null: none; then `dateOrder` holds, else that of the integration.',
      ),
    unprovenDates: z
      .int()
      .describe(
        'Of a target that is a time: rows of `rowsRead` whose date could be day first or month first, while neither the column nor a person says which.',
      ),
    samples: z.array(z.string()).describe('The first values that differ, at most 3 of 100 characters.'),
    target: z.string().nullable().describe('Where it goes. Null: nowhere.'),
    suggested: z.string().nullable().describe('Where it goes while the integration sets nothing.'),
    by: z.enum(['suggested', 'person']).describe('Origin of `target`.'),
    values: z
      .array(
        z.object({
          value: z.string().describe('The word.'),
          count: z.int().describe('Rows of `rowsRead` with it.'),
          meaning: z.string().nullable().describe('Value that it becomes. Null: the word is kept beside it.'),
        }),
      )
      .nullable()
      .describe('Words of a target that takes a few words alone, at most 200. Null: another target.'),
  })
  .meta({
    id: 'ImportColumn',
    description:
      'A column of a file, by its first 256 KB; behind the survey by all of it, but for kind and samples.',
  })
export type ImportColumn = z.infer<typeof importColumn>

export const fileSurvey = z
  .object({
    status: z
      .enum(surveyStatuses)
      .describe('State. A start waits for one that is `running`, and is refused behind one that `failed`.'),
    rows: z.int().nullable().describe('Rows with a value; null until it is done.'),
    changed: z
      .array(z.string())
      .describe(
        'Columns whose suggested target it has changed: ids that repeat, that are rounded or absent.',
      ),
    error: z
      .object({
        code: z.string().describe('Stable code, for programs.'),
        message: z.string().describe('Description for people.'),
        row: z
          .int()
          .nullable()
          .default(null)
          .describe('First row that contradicts the encoding, with the code `ENCODING`; else null.'),
      })
      .nullable()
      .describe('Reason of a failed one; of a running one, why it could not be made yet and is tried again.'),
  })
  .meta({
    id: 'FileSurvey',
    description: 'The reading of a whole file in the background, before its first import.',
  })
export type FileSurvey = z.infer<typeof fileSurvey>

export const importFile = z
  .object({
    _id: ownId('file'),
    module: z.enum(fileModules).describe('Module whose records the file holds.'),
    filename: z.string().describe('Name of the file.'),
    format: z.enum(fileFormats).describe('Format, by the content.'),
    delimiter: z.string().nullable().describe('Delimiter of the cells of a CSV file.'),
    headerRow: z
      .int()
      .nullable()
      .describe(
        'Line with the names of the columns, from 1; lines before it belong to no row. 0: the file has none. Null: it is no CSV file.',
      ),
    encoding: z.enum(fileEncodings).describe('Encoding, by the content.'),
    sheet: z
      .string()
      .nullable()
      .describe('Sheet of a workbook, or file of an archive, that is read; null: neither.'),
    sheets: z
      .array(z.string())
      .nullable()
      .describe('Sheets of a workbook, or tables of an archive; null: neither.'),
    size: z.int().describe('Size in bytes.'),
    headers: z.array(z.string()).describe('Headers of the columns, or the names of the fields.'),
    mapping: z
      .record(z.string(), z.string().nullable())
      .describe('Target of each header: the one that the integration sets, else the suggested one.'),
    survey: fileSurvey.nullable().describe('Null: a file of an earlier version.'),
    outside: z
      .array(
        z.object({
          row: z.int().describe('Number of the line, or of the row in the sheet.'),
          text: z.string().describe('Its first 100 signs.'),
        }),
      )
      .optional()
      .describe('Lines before the header, at most 20; absent in lists.'),
    rowsRead: z.int().optional().describe('Rows that `columns` is about; absent in lists.'),
    columns: z.array(importColumn).optional().describe('The columns; absent in lists.'),
    createdAt,
    updatedAt,
  })
  .meta({ id: 'ImportFile', description: 'An uploaded file with the records of one module.' })
export type ImportFile = z.infer<typeof importFile>

export const uploadImportFileFields = z
  .strictObject({
    module: z.enum(fileModules).describe('Module whose records the file holds.'),
    encoding: z.enum(fileEncodings).optional().describe('Encoding. Default: what the bytes say.'),
    delimiter: z
      .string()
      .regex(
        /^(?:[^\p{L}\p{N}\s"]|\t|tab)$/u,
        'must be one sign that is no letter, digit, blank or quote, or `tab`',
      )
      .optional()
      .describe('Delimiter of a CSV file: one sign, or `tab`. Default: the one by which most rows agree.'),
    headerRow: z
      .string()
      .regex(/^(?:\d|[1-4]\d|50)$/, 'must be a whole number from 0 to 50')
      .optional()
      .describe(
        'Line with the names of the columns of a CSV file or a sheet, 0 to 50; 0: none. Default: the first line that looks like it.',
      ),
    sheet: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .describe(
        'Sheet of a workbook, default: the first one with rows that is not hidden. File of an archive, default: the one that is called as the module, else the only one.',
      ),
  })
  .meta({ id: 'UploadImportFile', description: 'The texts of the form, which come before the file.' })

/** The sheet of each module is the table that is called so. */
export const uploadImportArchiveFields = uploadImportFileFields.omit({ module: true, sheet: true }).meta({
  id: 'UploadImportArchive',
  description: 'How each table of an archive is read, where its content does not say it.',
})

export const updateImportFileBody = z
  .strictObject({
    encoding: z.enum(fileEncodings).nullable().optional().describe('Encoding. Null: by the bytes.'),
    delimiter: uploadImportFileFields.shape.delimiter
      .unwrap()
      .nullable()
      .optional()
      .describe('Delimiter of a CSV file. Null: the one by which most rows agree.'),
    headerRow: z
      .int()
      .min(0)
      .max(50)
      .nullable()
      .optional()
      .describe('Line with the names of the columns; 0: none. Null: the first line that looks like it.'),
    sheet: z
      .string()
      .min(1)
      .max(100)
      .nullable()
      .optional()
      .describe('Sheet of a workbook, or file of an archive. Null: the default.'),
  })
  .meta({ id: 'UpdateImportFile', description: 'How a file is read.' })
export type UpdateImportFileBody = z.output<typeof updateImportFileBody>
