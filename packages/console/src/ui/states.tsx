import type { ComponentChildren, JSX } from 'preact'
import { t } from '../strings/strings.ts'
import { Button } from './button.tsx'

interface EmptyProps {
  readonly title: string
  readonly hint?: string | undefined
  readonly children?: ComponentChildren
}

/** Says that there is nothing, and the next step. */
export function Empty({ title, hint, children }: EmptyProps): JSX.Element {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {hint && <p>{hint}</p>}
      {children}
    </div>
  )
}

export interface Reason {
  readonly sentence: string
  /** Words of programs, which are shown when somebody asks for them. */
  readonly detail: string
}

/** Why something failed. It contains a block: its parent is no paragraph. */
export function ReasonText({ reason }: { readonly reason: Reason }): JSX.Element {
  const { sentence, detail } = reason
  return (
    <>
      {sentence}
      {detail && (
        <details>
          <summary>{t.common.details}</summary>
          {detail}
        </details>
      )}
    </>
  )
}

interface ProblemBoxProps {
  readonly title: string
  readonly reason?: Reason | undefined
  readonly onRetry?: (() => void) | undefined
}

/** Says what failed and why, with a way to try again. */
export function ProblemBox({ title, reason, onRetry }: ProblemBoxProps): JSX.Element {
  return (
    <div class="problem" role="alert">
      <div>
        <strong>{title}</strong> {reason && <ReasonText reason={reason} />}
      </div>
      {onRetry && (
        <Button isSmall onClick={onRetry}>
          {t.common.retry}
        </Button>
      )}
    </div>
  )
}

/** The place of rows that are on their way. */
export function SkeletonRows({
  count,
  rowHeight,
}: {
  readonly count: number
  readonly rowHeight: number
}): JSX.Element {
  return (
    <div role="status" aria-label={t.common.loading}>
      {Array.from({ length: count }, (_, index) => (
        <div key={index} class="skeleton-row" style={{ height: `${rowHeight}px` }}>
          <span class="skeleton" style={{ width: `${60 - (index % 3) * 12}%` }} />
          <span class="skeleton" style={{ width: `${85 - (index % 4) * 9}%` }} />
        </div>
      ))}
    </div>
  )
}

export function Banner({ children }: { readonly children: ComponentChildren }): JSX.Element {
  return (
    <div class="banner" role="status">
      {children}
    </div>
  )
}
