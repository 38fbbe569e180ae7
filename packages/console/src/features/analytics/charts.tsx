import type { JSX } from 'preact'
import { styles } from './analytics-styles.ts'

const width = 1000
const height = 140

interface BarsProps {
  readonly label: string
  readonly values: readonly number[]
}

/** Bars from the bottom. A table with the same numbers stands beside each chart. */
export function Bars({ label, values }: BarsProps): JSX.Element {
  const most = Math.max(1, ...values)
  const step = width / Math.max(1, values.length)
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      style={styles.chart}
    >
      {values.map((value, index) => (
        <rect
          key={index}
          x={index * step + step * 0.1}
          width={step * 0.8}
          y={height - (value / most) * (height - 4)}
          height={(value / most) * (height - 4)}
          fill="var(--accent)"
        />
      ))}
      <line x1="0" x2={width} y1={height} y2={height} stroke="var(--line-strong)" />
    </svg>
  )
}

interface LinesProps {
  readonly label: string
  /** Null: no value, and the line is interrupted. */
  readonly lines: readonly { readonly colour: string; readonly values: readonly (number | null)[] }[]
}

export function Lines({ label, lines }: LinesProps): JSX.Element {
  const most = Math.max(1, ...lines.flatMap(({ values }) => values.map((value) => value ?? 0)))
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      style={styles.chart}
    >
      {lines.map(({ colour, values }) => (
        <path
          key={colour}
          d={pathOf(values, most)}
          fill="none"
          stroke={colour}
          stroke-width="2"
          stroke-linecap="round"
          vector-effect="non-scaling-stroke"
        />
      ))}
      <line x1="0" x2={width} y1={height} y2={height} stroke="var(--line-strong)" />
    </svg>
  )
}

function pathOf(values: readonly (number | null)[], most: number): string {
  const step = width / Math.max(1, values.length)
  const points = values.map((value, index) => {
    if (value === null) return ''
    const isFirst = index === 0 || values[index - 1] === null
    const at = `${(index + 0.5) * step} ${height - (value / most) * (height - 6) - 2}`
    // A value alone is a point.
    return isFirst ? `M${at}L${at}` : `L${at}`
  })
  return points.join('')
}
