// Generated from the contract by scripts/generate.ts. Do not edit.
import type { ApiPromise } from '../core/api-promise.ts'
import type { CallOptions, MessageReply, UploadOptions } from '../core/call-options.ts'
import type { PagePromise } from '../core/page-promise.ts'
import { Resource } from '../core/resource.ts'
import type {
  ImportFile,
  ImportIssue,
  ImportRun,
  ImportStatus,
  ImportsCountSheetQuery,
  ImportsExportErrorsQuery,
  ImportsExportRejectedQuery,
  ImportsGetPackageQuery,
  ImportsListErrorsQuery,
  ImportsListFilesQuery,
  ImportsListQuery,
  PackageFile,
  PackageState,
  StartImport,
  UpdateImportFile,
  UploadImportArchive,
  UploadImportFile,
} from './types.gen.ts'

/** Runs that import records of a source: start, watch, cancel, repeat and undo them. */
export class ImportsResource extends Resource {
  /**
   * Upload a CSV, Excel, JSON, NDJSON or vCard file with the records of one module.
   *
   * A form with `module` (`Contacts`, `Leads`, `Deals`, `Cases`, `Notes` or `Calls`), then `file`, of at most 1 GB. Encoding, delimiter and the line of the header are found by the content where the form does not give them. A picture or another format is refused with its name. A new file of a module replaces the old one; refused while an import runs. Files are removed 7 days after the upload and the last run that read them. Without `module` the file is an archive (.zip) with one table for each module, found by its name (`contacts.csv`, `tickets.json`): all are taken, or none, and `data` is a list.
   *
   * The client reads a stream to its end before it sends it. `openAsBlob` of `node:fs` avoids that for a file.
   *
   * `POST /api/extcrm/integrations/{id}/files`. Needs a signed-in user, at least admin, or an API key with `write:customers` and `write:conversations`.
   *
   * @param integrationId Id of the integration.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmimportsuploadfile
   */
  uploadFile(integrationId: string, file: Blob | ReadableStream<Uint8Array>, body: UploadImportFile, options?: UploadOptions): ApiPromise<ImportFile> {
    return this.requester.call({ method: 'POST', path: '/api/extcrm/integrations/{id}/files', isRepeatable: false }, { params: [integrationId], file, body }, options)
  }

  /**
   * Upload an archive (.zip) with one table for each module.
   *
   * Each table is found by its name, such as `contacts.csv` or `tickets.json`; all are taken, or none. An entry that is no table, a table whose name says no module, and two tables of one module are refused.
   *
   * The client reads a stream to its end before it sends it. `openAsBlob` of `node:fs` avoids that for a file.
   *
   * `POST /api/extcrm/integrations/{id}/files`. Needs a signed-in user, at least admin, or an API key with `write:customers` and `write:conversations`.
   *
   * @param integrationId Id of the integration.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmimportsuploadarchive
   */
  uploadArchive(integrationId: string, file: Blob | ReadableStream<Uint8Array>, body?: UploadImportArchive, options?: UploadOptions): ApiPromise<ImportFile[]> {
    return this.requester.call({ method: 'POST', path: '/api/extcrm/integrations/{id}/files', isRepeatable: false }, { params: [integrationId], file, body }, options)
  }

  /**
   * List the uploaded files, one a module.
   *
   * Await it for one page, or `for await` over it for every row.
   *
   * `GET /api/extcrm/integrations/{id}/files`. Needs a signed-in user, at least admin, or an API key with `read:customers`.
   *
   * @param integrationId Id of the integration.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmimportslistfiles
   */
  listFiles(integrationId: string, query?: ImportsListFilesQuery, options?: CallOptions): PagePromise<ImportFile> {
    return this.requester.list({ method: 'GET', path: '/api/extcrm/integrations/{id}/files' }, { params: [integrationId], query }, options)
  }

  /**
   * Get an uploaded file with its columns and samples of their values.
   *
   * Samples and words are read from the file for each request, and stored nowhere. Files of deals, cases, notes and calls need `read:conversations`.
   *
   * `GET /api/extcrm/integrations/{id}/files/{fileId}`. Needs a signed-in user, at least admin, or an API key with `read:customers`.
   *
   * @param integrationId Id of the integration.
   * @param fileId Id of the file.
   * @throws {AuthenticationError | PermissionError | NotFoundError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmimportsgetfile
   */
  getFile(integrationId: string, fileId: string, options?: CallOptions): ApiPromise<ImportFile> {
    return this.requester.call({ method: 'GET', path: '/api/extcrm/integrations/{id}/files/{fileId}' }, { params: [integrationId, fileId] }, options)
  }

  /**
   * Change how an uploaded file is read.
   *
   * A field with null is found by the content again. Refused while an import runs.
   *
   * `PUT /api/extcrm/integrations/{id}/files/{fileId}`. Needs a signed-in user, at least admin, or an API key with `write:customers` and `write:conversations`.
   *
   * @param integrationId Id of the integration.
   * @param fileId Id of the file.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmimportsupdatefile
   */
  updateFile(integrationId: string, fileId: string, body: UpdateImportFile, options?: CallOptions): ApiPromise<ImportFile> {
    return this.requester.call({ method: 'PUT', path: '/api/extcrm/integrations/{id}/files/{fileId}' }, { params: [integrationId, fileId], body }, options)
  }

  /**
   * Delete an uploaded file.
   *
   * Its runs and what they imported stay. Refused while an import runs.
   *
   * `DELETE /api/extcrm/integrations/{id}/files/{fileId}`. Needs a signed-in user, at least admin, or an API key with `write:customers` and `write:conversations`.
   *
   * @param integrationId Id of the integration.
   * @param fileId Id of the file.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmimportsdeletefile
   */
  deleteFile(integrationId: string, fileId: string, options?: CallOptions): ApiPromise<MessageReply> {
    return this.requester.call({ method: 'DELETE', path: '/api/extcrm/integrations/{id}/files/{fileId}', isMessage: true }, { params: [integrationId, fileId] }, options)
  }

  /**
   * Store a file of a package.
   *
   * The body is the file itself, or a form with `file`. A file that is here already gets 200. A manifest with other bytes after a run begins a new package; a package has at most 1 GB a file, 50 MB an attachment and 8 MB a manifest.
   *
   * The client reads a stream to its end before it sends it. `openAsBlob` of `node:fs` avoids that for a file.
   *
   * `PUT /api/extcrm/integrations/{id}/package/{path}`. Needs a signed-in user, at least admin, or an API key with `write:customers` and `write:conversations`.
   *
   * @param integrationId Id of the integration.
   * @param path `manifest.json`, `{kind}-0001.ndjson`, or `bytes/ab/{sha256}` of an attachment.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmimportsputpackagefile
   */
  putPackageFile(integrationId: string, path: string, file: Blob | ReadableStream<Uint8Array>, options?: UploadOptions): ApiPromise<PackageFile> {
    return this.requester.call({ method: 'PUT', path: '/api/extcrm/integrations/{id}/package/{path}' }, { params: [integrationId, path], file }, options)
  }

  /**
   * Get the files of a package that are here.
   *
   * `GET /api/extcrm/integrations/{id}/package`. Needs a signed-in user, at least admin, or an API key with `read:customers`.
   *
   * @param integrationId Id of the integration.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmimportsgetpackage
   */
  getPackage(integrationId: string, query?: ImportsGetPackageQuery, options?: CallOptions): ApiPromise<PackageState> {
    return this.requester.call({ method: 'GET', path: '/api/extcrm/integrations/{id}/package' }, { params: [integrationId], query }, options)
  }

  /**
   * Delete the files of a package.
   *
   * `DELETE /api/extcrm/integrations/{id}/package`. Needs a signed-in user, at least admin, or an API key with `write:customers` and `write:conversations`.
   *
   * @param integrationId Id of the integration.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmimportsdeletepackage
   */
  deletePackage(integrationId: string, options?: CallOptions): ApiPromise<MessageReply> {
    return this.requester.call({ method: 'DELETE', path: '/api/extcrm/integrations/{id}/package', isMessage: true }, { params: [integrationId] }, options)
  }

  /**
   * Download the figures of a package: at the source, in the package and here.
   *
   * JSON is an array of the rows, by kind and month; CSV has the same columns.
   *
   * Returns the `Response` as soon as its headers have arrived; `timeout` and `deadline` apply until then. Read `body`, `blob()` or `text()`; `signal` aborts that too. The name of the file is in `content-disposition`.
   *
   * `GET /api/extcrm/integrations/{id}/imports/{runId}/count-sheet`. Needs a signed-in user, at least admin, or an API key with `read:customers`.
   *
   * @param integrationId Id of the integration.
   * @param runId Id of the run.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmimportscountsheet
   */
  countSheet(integrationId: string, runId: string, query?: ImportsCountSheetQuery, options?: CallOptions): Promise<Response> {
    return this.requester.download({ method: 'GET', path: '/api/extcrm/integrations/{id}/imports/{runId}/count-sheet' }, { params: [integrationId, runId], query }, options)
  }

  /**
   * Start an import.
   *
   * Reads everything of the chosen parts; rows that did not change cost nothing. Read the progress through the import status. Choices that are sent are stored as the settings of the integration, except by a dry run. At most 60 starts an hour, dry runs, retries and undos among them.
   *
   * `POST /api/extcrm/integrations/{id}/import`. Needs a signed-in user, at least admin, or an API key with `write:customers` and `write:conversations`.
   *
   * @param integrationId Id of the integration.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmimportsstart
   */
  start(integrationId: string, body: StartImport, options?: CallOptions): ApiPromise<{
    /** Id of the run. */
    runId: string
    /** State of the run. */
    status: 'queued' | 'running' | 'paused' | 'completed' | 'completed_with_errors' | 'failed' | 'cancelled' | (string & {})
  }> {
    return this.requester.call({ method: 'POST', path: '/api/extcrm/integrations/{id}/import' }, { params: [integrationId], body }, options)
  }

  /**
   * Get the progress of the active import, or of the latest one.
   *
   * `GET /api/extcrm/integrations/{id}/import/status`. Needs a signed-in user, at least admin, or an API key with `read:customers`.
   *
   * @param integrationId Id of the integration.
   * @throws {AuthenticationError | PermissionError | NotFoundError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmimportsstatus
   */
  status(integrationId: string, options?: CallOptions): ApiPromise<ImportStatus> {
    return this.requester.call({ method: 'GET', path: '/api/extcrm/integrations/{id}/import/status' }, { params: [integrationId] }, options)
  }

  /**
   * Cancel the active import; imported records stay.
   *
   * `POST /api/extcrm/integrations/{id}/import/cancel`. Needs a signed-in user, at least admin, or an API key with `write:customers` and `write:conversations`.
   *
   * @param integrationId Id of the integration.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmimportscancel
   */
  cancel(integrationId: string, options?: CallOptions): ApiPromise<{
    /** Id of the run. */
    runId: string
    /** State of the run. */
    status: 'queued' | 'running' | 'paused' | 'completed' | 'completed_with_errors' | 'failed' | 'cancelled' | (string & {})
  }> {
    return this.requester.call({ method: 'POST', path: '/api/extcrm/integrations/{id}/import/cancel' }, { params: [integrationId] }, options)
  }

  /**
   * List the imports of the last 90 days, newest first.
   *
   * Await it for one page, or `for await` over it for every row.
   *
   * `GET /api/extcrm/integrations/{id}/imports`. Needs a signed-in user, at least admin, or an API key with `read:customers`.
   *
   * @param integrationId Id of the integration.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmimportslist
   */
  list(integrationId: string, query?: ImportsListQuery, options?: CallOptions): PagePromise<ImportRun> {
    return this.requester.list({ method: 'GET', path: '/api/extcrm/integrations/{id}/imports' }, { params: [integrationId], query }, options)
  }

  /**
   * Get one import.
   *
   * `GET /api/extcrm/integrations/{id}/imports/{runId}`. Needs a signed-in user, at least admin, or an API key with `read:customers`.
   *
   * @param integrationId Id of the integration.
   * @param runId Id of the run.
   * @throws {AuthenticationError | PermissionError | NotFoundError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmimportsget
   */
  get(integrationId: string, runId: string, options?: CallOptions): ApiPromise<ImportRun> {
    return this.requester.call({ method: 'GET', path: '/api/extcrm/integrations/{id}/imports/{runId}' }, { params: [integrationId, runId] }, options)
  }

  /**
   * List the records that were not imported as they are, oldest first.
   *
   * At most 10,000 rows of a run are stored; the counts of the run include the others.
   *
   * Await it for one page, or `for await` over it for every row.
   *
   * `GET /api/extcrm/integrations/{id}/imports/{runId}/errors`. Needs a signed-in user, at least admin, or an API key with `read:customers`.
   *
   * @param integrationId Id of the integration.
   * @param runId Id of the run.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmimportslisterrors
   */
  listErrors(integrationId: string, runId: string, query?: ImportsListErrorsQuery, options?: CallOptions): PagePromise<ImportIssue> {
    return this.requester.list({ method: 'GET', path: '/api/extcrm/integrations/{id}/imports/{runId}/errors' }, { params: [integrationId, runId], query }, options)
  }

  /**
   * Download all records that were not imported as they are.
   *
   * CSV has the columns `severity,module,externalId,row,code,message,createdAt,column,value,count`; a cell that a spreadsheet would run as a formula begins with `'`. JSON is an array of the rows that the list has.
   *
   * Returns the `Response` as soon as its headers have arrived; `timeout` and `deadline` apply until then. Read `body`, `blob()` or `text()`; `signal` aborts that too. The name of the file is in `content-disposition`.
   *
   * `GET /api/extcrm/integrations/{id}/imports/{runId}/errors/export`. Needs a signed-in user, at least admin, or an API key with `read:customers`.
   *
   * @param integrationId Id of the integration.
   * @param runId Id of the run.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmimportsexporterrors
   */
  exportErrors(integrationId: string, runId: string, query?: ImportsExportErrorsQuery, options?: CallOptions): Promise<Response> {
    return this.requester.download({ method: 'GET', path: '/api/extcrm/integrations/{id}/imports/{runId}/errors/export' }, { params: [integrationId, runId], query }, options)
  }

  /**
   * Download the rows of a file that were not imported, to correct them.
   *
   * CSV with the header and the cells of the file, then `import row`, `import code` and `import message`, which an upload leaves out. Of the first 10,000 such rows. 410 once the file is removed: it is kept for 7 days after its last run, or until another one takes its place.
   *
   * Returns the `Response` as soon as its headers have arrived; `timeout` and `deadline` apply until then. Read `body`, `blob()` or `text()`; `signal` aborts that too. The name of the file is in `content-disposition`.
   *
   * `GET /api/extcrm/integrations/{id}/imports/{runId}/rejected`. Needs a signed-in user, at least admin, or an API key with `read:customers`.
   *
   * @param integrationId Id of the integration.
   * @param runId Id of the run.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmimportsexportrejected
   */
  exportRejected(integrationId: string, runId: string, query?: ImportsExportRejectedQuery, options?: CallOptions): Promise<Response> {
    return this.requester.download({ method: 'GET', path: '/api/extcrm/integrations/{id}/imports/{runId}/rejected' }, { params: [integrationId, runId], query }, options)
  }

  /**
   * Import the failed records of a run again, or continue a run that ended early.
   *
   * `POST /api/extcrm/integrations/{id}/imports/{runId}/retry`. Needs a signed-in user, at least admin, or an API key with `write:customers` and `write:conversations`.
   *
   * @param integrationId Id of the integration.
   * @param runId Id of the run.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmimportsretry
   */
  retry(integrationId: string, runId: string, options?: CallOptions): ApiPromise<{
    /** Id of the run. */
    runId: string
    /** State of the run. */
    status: 'queued' | 'running' | 'paused' | 'completed' | 'completed_with_errors' | 'failed' | 'cancelled' | (string & {})
  }> {
    return this.requester.call({ method: 'POST', path: '/api/extcrm/integrations/{id}/imports/{runId}/retry' }, { params: [integrationId, runId] }, options)
  }

  /**
   * Remove the rows that an import made, and restore those that it changed.
   *
   * Possible for 30 days. Rows that were changed since stay as they are, and are listed among the errors with severity `kept`.
   *
   * `POST /api/extcrm/integrations/{id}/imports/{runId}/undo`. Needs a signed-in user, at least admin, or an API key with `write:customers` and `write:conversations`.
   *
   * @param integrationId Id of the integration.
   * @param runId Id of the run.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmimportsundo
   */
  undo(integrationId: string, runId: string, options?: CallOptions): ApiPromise<{
    /** Id of the run. */
    runId: string
    /** The undo of the run. */
    undo: {
      /** State of the undo. */
      status: 'none' | 'running' | 'done' | 'failed' | (string & {})
      /** Time at which the undo was requested. ISO 8601. */
      startedAt: string | null
      /** Time at which the undo ended. ISO 8601. */
      finishedAt: string | null
      /** Rows that were removed. */
      removed: number
      /** Rows that have their earlier values again. */
      restored: number
      /** Rows that were changed since and stay as they are. */
      kept: number
    }
  }> {
    return this.requester.call({ method: 'POST', path: '/api/extcrm/integrations/{id}/imports/{runId}/undo' }, { params: [integrationId, runId] }, options)
  }
}
