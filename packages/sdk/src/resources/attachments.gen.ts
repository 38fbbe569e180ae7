// Generated from the contract by scripts/generate.ts. Do not edit.
import type { ApiPromise } from '../core/api-promise.ts'
import type { CallOptions, UploadOptions } from '../core/call-options.ts'
import { Resource } from '../core/resource.ts'
import type {
  Attachment,
} from './types.gen.ts'

/** Files of messages: upload a file first, then send a message with its id. */
export class AttachmentsResource extends Resource {
  /**
   * Upload a file for a message.
   *
   * One file of at most 10 MB. The service detects its type from the bytes and ignores the declared one. Put its id into `attachments` of a message or a draft within 24 hours: a file without one is then deleted.
   *
   * The client reads a stream to its end before it sends it. `openAsBlob` of `node:fs` avoids that for a file.
   *
   * `POST /api/v1/attachments`. Needs the permission `write:conversations`.
   *
   * @throws {AuthenticationError | PermissionError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmattachmentscreate
   */
  create(file: Blob | ReadableStream<Uint8Array>, options?: UploadOptions): ApiPromise<Attachment> {
    return this.requester.call({ method: 'POST', path: '/api/v1/attachments' }, { file }, options)
  }

  /**
   * Download a file.
   *
   * Returns the bytes, always as a download.
   *
   * Returns the `Response` as soon as its headers have arrived; `timeout` and `deadline` apply until then. Read `body`, `blob()` or `text()`; `signal` aborts that too. The name of the file is in `content-disposition`.
   *
   * `GET /api/v1/attachments/{id}`. Needs the permission `read:conversations`.
   *
   * @param id Id of the attachment.
   * @throws {AuthenticationError | PermissionError | NotFoundError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmattachmentsget
   */
  get(id: string, options?: CallOptions): Promise<Response> {
    return this.requester.download({ method: 'GET', path: '/api/v1/attachments/{id}' }, { params: [id] }, options)
  }
}
