import type { Write } from '../ports/change.ts'
import type { RequestLog } from '../ports/log.ts'
import type { EndedDelivery, Meters } from '../ports/meters.ts'
import type { Storage } from '../ports/storage.ts'
import type { Kind } from '../storage/kinds/registry.ts'
import { Counter, type Durations, Histogram, type Metric } from './metric.ts'

const methods: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])

/** The figures of one operation. */
interface RequestSeries {
  duration: Durations | undefined
  /** By status class. */
  counts: Map<string, { count: number }>
}

interface ServiceMetersParts {
  /** The templates of responses that last as long as their clients: they are counted, not timed. */
  untimedPaths: ReadonlySet<string>
  jobs: readonly string[]
  quotas: readonly string[]
  budgets: readonly string[]
  kinds: readonly string[]
  mailReasons: readonly string[]
}

/** Records in memory what happens in this process; the text is made when somebody asks for it. */
export class ServiceMeters implements Meters {
  readonly #untimedPaths: ReadonlySet<string>
  /** By path and method: one key of both would be a new text for each request. */
  readonly #byPath = new Map<string, Map<string, RequestSeries>>()
  readonly #requests = new Counter({
    name: 'crm_http_requests_total',
    help: 'Requests by method, path template and class of the status.',
    labels: ['method', 'path', 'status'],
  })
  readonly #durations = new Histogram({
    name: 'crm_http_request_duration_seconds',
    help: 'Time from the head of a request to its reply, without streams and downloads.',
    labels: ['method', 'path'],
  })
  readonly #errors = new Counter({
    name: 'crm_http_errors_total',
    help: 'Replies with an error, by its code.',
    labels: ['code'],
  })
  readonly #deliveries = new Counter(
    {
      name: 'crm_delivery_attempts_total',
      help: 'Attempts to deliver a webhook: delivered, retried later, or failed for the last time.',
      labels: ['result'],
    },
    [['delivered'], ['retried'], ['failed']],
  )
  readonly #deliveryDurations = new Histogram({
    name: 'crm_delivery_duration_seconds',
    help: 'Duration of attempts to deliver a webhook.',
  })
  readonly #deliveryDelays = new Histogram({
    name: 'crm_delivery_delay_seconds',
    help: 'Time from the planned time of an attempt to its begin.',
  })
  readonly #jobPolls: Counter
  readonly #streamDelays = new Histogram({
    name: 'crm_event_stream_delay_seconds',
    help: 'Time from the commit of an event to its sending on a stream that waited for it.',
  })
  readonly #quotas: Counter
  readonly #budgets: Counter
  readonly #recipients: Counter
  readonly #callbacks = new Counter({
    name: 'crm_telephony_callbacks_refused_total',
    help: 'Callbacks of the telephony provider without a valid signature.',
  })
  readonly #attachments = new Counter(
    {
      name: 'crm_attachment_requests_total',
      help: 'Requests to the store of the bytes of files, by what was asked for and whether the store did it.',
      labels: ['request', 'result'],
    },
    ['write', 'read', 'remove'].flatMap((request) => [
      [request, 'done'],
      [request, 'failed'],
    ]),
  )
  readonly #rowsLeftOut: Counter
  readonly #commits = new Histogram({
    name: 'crm_commit_duration_seconds',
    help: 'Time of the storage for one durable commit.',
  })

  readonly #mailsParked: Counter
  readonly #mailsIgnored: Counter

  constructor({ untimedPaths, jobs, quotas, budgets, kinds, mailReasons }: ServiceMetersParts) {
    this.#untimedPaths = untimedPaths
    const pollsOf = (job: string) => [[job, 'done'] as const, [job, 'failed'] as const]
    this.#jobPolls = new Counter(
      {
        name: 'crm_job_polls_total',
        help: 'Polls for due work, by job and result.',
        labels: ['job', 'result'],
      },
      jobs.flatMap(pollsOf),
    )
    this.#quotas = new Counter(
      {
        name: 'crm_quota_refusals_total',
        help: 'Writes beyond a quota: refused, or for inbound calls stored anyway.',
        labels: ['quota'],
      },
      quotas.map((quota) => [quota]),
    )
    this.#budgets = new Counter(
      {
        name: 'crm_refused_total',
        help: 'Mails, files and texts of strangers that were refused or have to wait, by the budget that is spent.',
        labels: ['budget'],
      },
      budgets.map((budget) => [budget]),
    )
    this.#rowsLeftOut = new Counter(
      {
        name: 'crm_damaged_rows_total',
        help: 'Reads that left out a stored row which cannot be read.',
        labels: ['kind'],
      },
      kinds.map((kind) => [kind]),
    )
    this.#recipients = new Counter(
      {
        name: 'crm_mail_recipients_total',
        help: 'Recipients whose mail server has taken a mail, by the way it left.',
        labels: ['transport'],
      },
      [['relay'], ['smtp']],
    )
    const ofReason = mailReasons.map((reason) => [reason])
    this.#mailsParked = new Counter(
      {
        name: 'crm_mails_parked_total',
        help: 'Mails that arrived and need a person, by reason.',
        labels: ['reason'],
      },
      ofReason,
    )
    this.#mailsIgnored = new Counter(
      {
        name: 'crm_mails_ignored_total',
        help: 'Mails that arrived and became no message, by reason.',
        labels: ['reason'],
      },
      ofReason,
    )
  }

  get metrics(): readonly Metric[] {
    return [
      this.#requests,
      this.#durations,
      this.#errors,
      this.#deliveries,
      this.#deliveryDurations,
      this.#deliveryDelays,
      this.#jobPolls,
      this.#streamDelays,
      this.#quotas,
      this.#budgets,
      this.#recipients,
      this.#callbacks,
      this.#attachments,
      this.#rowsLeftOut,
      this.#mailsParked,
      this.#mailsIgnored,
      this.#commits,
    ]
  }

  /** Returns the log, which counts from now on each request that it notes. */
  counting(log: RequestLog): RequestLog {
    return {
      note: (request) => {
        this.requestEnded(request)
        log.note(request)
      },
      flush: () => log.flush(),
    }
  }

  /** Observes the commits of a storage. */
  observeCommits(storage: Pick<Storage, 'onCommitted'>): void {
    const commits = this.#commits.of()
    storage.onCommitted(({ durationMs, change }) => {
      commits.observe(durationMs)
      for (const write of change.writes) if (write.kind === 'inboundMails') this.#noteMail(write)
    })
  }

  #noteMail(write: Extract<Write<Kind>, { kind: 'inboundMails' }>): void {
    const row = write.op === 'insert' ? write.row : write.op === 'update' ? write.set : {}
    const { status, reason } = row
    if (status === 'parked' && reason) this.#mailsParked.add(reason)
    if (status === 'ignored' && reason) this.#mailsIgnored.add(reason)
  }

  requestEnded({ method, path, status, ms }: { method: string; path: string; status: number; ms: number }) {
    const series = this.#byPath.get(path)?.get(method) ?? this.#seriesOf(method, path)
    series.duration?.observe(ms)
    const statusClass = classOf(status)
    let counter = series.counts.get(statusClass)
    if (counter === undefined) {
      counter = this.#requests.of(labelOf(method), path, statusClass)
      series.counts.set(statusClass, counter)
    }
    counter.count += 1
  }

  /** Node reads some forty methods only, so also refused ones have a bounded number of entries. */
  #seriesOf(method: string, path: string): RequestSeries {
    const isTimed = !this.#untimedPaths.has(path)
    const duration = isTimed ? this.#durations.of(labelOf(method), path) : undefined
    const series: RequestSeries = { duration, counts: new Map() }
    const ofPath = this.#byPath.get(path) ?? new Map<string, RequestSeries>()
    this.#byPath.set(path, ofPath.set(method, series))
    return series
  }

  errorReplied(code: string): void {
    this.#errors.add(code)
  }

  deliveryEnded({ outcome, delayMs, durationMs }: EndedDelivery): void {
    this.#deliveries.add(outcome)
    this.#deliveryDurations.of().observe(durationMs)
    this.#deliveryDelays.of().observe(Math.max(0, delayMs))
  }

  jobPolled(job: string, result: 'done' | 'failed'): void {
    this.#jobPolls.add(job, result)
  }

  eventStreamed(delayMs: number): void {
    this.#streamDelays.of().observe(Math.max(0, delayMs))
  }

  quotaRefused(quota: string): void {
    this.#quotas.add(quota)
  }

  recipientsMailed(transport: 'relay' | 'smtp', count: number): void {
    this.#recipients.of(transport).count += count
  }

  budgetRefused(budget: string): void {
    this.#budgets.add(budget)
  }

  rowLeftOut(kind: string): void {
    this.#rowsLeftOut.add(kind)
  }

  callbackRefused(): void {
    this.#callbacks.add()
  }

  attachmentRequested(request: 'write' | 'read' | 'remove', result: 'done' | 'failed'): void {
    this.#attachments.add(request, result)
  }
}

function labelOf(method: string): string {
  if (method === 'HEAD') return 'GET'
  return methods.has(method) ? method : 'other'
}

const statusClasses = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const

function classOf(status: number): string {
  return statusClasses[Math.floor(status / 100) - 1] ?? 'other'
}
