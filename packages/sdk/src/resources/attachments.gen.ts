// Generated from the contract by scripts/generate.ts. Do not edit.
import type { ApiPromise } from '../core/api-promise.ts'
import type { CallOptions, UploadOptions } from '../core/call-options.ts'
import { Resource } from '../core/resource.ts'
import type {
  Attachment,
} from './types.gen.ts'

/** Files of messages: uploaded first, then named by a message. */
export class AttachmentsResource extends Resource {
  /**
   * Upload a file, to be sent with a message.
   *
   * One file of at most 10 MB. Its type is read from its bytes, whatever was declared. Name its id in `attachments` of a message within 24 hours: what no message carries is removed then.
   *
   * A stream is read to its end first. `openAsBlob` of `node:fs` gives a file without reading it.
   *
   * Needs the permission `write:conversations`.
   *
   * `POST /api/v1/attachments`, docs/reference/sdk.md#crmattachmentscreate
   *
   * @throws {AuthenticationError} no credential, or one that does not work (401)
   * @throws {PermissionError} the credential may not do this (403)
   * @throws {ConflictError} a unique value is taken, or the state refuses it (409)
   * @throws {ValidationError} a field is refused; `problems` names each (422)
   * @throws {RateLimitError} too many requests; `retryAfterMs` says how long to wait (429)
   */
  create(file: Blob | ReadableStream<Uint8Array>, options?: UploadOptions): ApiPromise<Attachment> {
    return this.requester.call({ method: 'POST', path: '/api/v1/attachments' }, { file }, options)
  }

  /**
   * Download a file.
   *
   * Answers the bytes themselves, always as a download.
   *
   * Answers the `Response` as soon as its head is there, which `timeout` and `deadline` bound: read `body`, `blob()` or `text()`; `signal` ends that, too. The name is in its `content-disposition`.
   *
   * Needs the permission `read:conversations`.
   *
   * `GET /api/v1/attachments/{id}`, docs/reference/sdk.md#crmattachmentsget
   *
   * @throws {AuthenticationError} no credential, or one that does not work (401)
   * @throws {PermissionError} the credential may not do this (403)
   * @throws {NotFoundError} there is no such resource in this tenant (404)
   * @throws {RateLimitError} too many requests; `retryAfterMs` says how long to wait (429)
   */
  get(id: string, options?: CallOptions): Promise<Response> {
    return this.requester.download({ method: 'GET', path: '/api/v1/attachments/{id}' }, { params: [id] }, options)
  }
}
