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

interface ProblemBoxProps {
  readonly title: string
  readonly sentence?: string | undefined
  readonly requestId?: string | undefined
  readonly onRetry?: (() => void) | undefined
}

/** Says what failed, with the id for the operator and a way to try again. */
export function ProblemBox({ title, sentence, requestId, onRetry }: ProblemBoxProps): JSX.Element {
  return (
    <div class="problem" role="alert">
      <span>
        <strong>{title}</strong>
        {sentence && <> {sentence}</>} {requestId && <small>{t.common.requestId(requestId)}</small>}
      </span>
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
