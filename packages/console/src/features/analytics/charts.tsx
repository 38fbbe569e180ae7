import type { JSX } from 'preact'
import { locale } from '../../strings/strings.ts'
import { styles } from './analytics-styles.ts'

const width = 1000
const height = 140

interface Part {
  readonly name: string
  readonly colour: string
  /** One for each bar. */
  readonly values: readonly number[]
}

interface BarsProps {
  readonly label: string
  /** Of the bars, from the left. */
  readonly names: readonly string[]
  /** The lowest first. */
  readonly parts: readonly Part[]
}

/** Bars from the bottom, each of several parts. A table with the same numbers stands beside each chart. */
export function Bars({ label, names, parts }: BarsProps): JSX.Element {
  const most = Math.max(1, ...names.map((_, index) => sumAt(parts, index)))
  const step = width / Math.max(1, names.length)
  const heightOf = (value: number) => (value / most) * (height - 4)
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      style={styles.chart}
    >
      {parts.map(({ name, colour, values }, part) =>
        values.map((value, index) => {
          if (value === 0) return null
          const below = heightOf(sumAt(parts.slice(0, part), index))
          return (
            <rect
              key={`${name} ${index}`}
              x={index * step + step * 0.1}
              width={step * 0.8}
              y={height - below - heightOf(value)}
              height={heightOf(value)}
              fill={colour}
            >
              <title>{`${names[index]}: ${name} ${value}`}</title>
            </rect>
          )
        }),
      )}
      <line x1="0" x2={width} y1={height} y2={height} stroke="var(--line-strong)" />
    </svg>
  )
}

function sumAt(parts: readonly Part[], index: number): number {
  return parts.reduce((sum, { values }) => sum + (values[index] ?? 0), 0)
}

/** The name, the colour and the sum of each part of a chart. */
export function Legend({ parts }: { readonly parts: readonly Part[] }): JSX.Element {
  return (
    <ul style={styles.legend}>
      {parts.map(({ name, colour, values }) => (
        <li key={name} style={styles.legendPart}>
          <span aria-hidden="true" style={{ ...styles.colour, background: colour }} />
          {name} {values.reduce((sum, value) => sum + value, 0).toLocaleString(locale)}
        </li>
      ))}
    </ul>
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
      {lines.map(({ colour, values }) => {
        const { line, points } = pathsOf(values, most)
        const shared = {
          fill: 'none',
          stroke: colour,
          'stroke-linecap': 'round',
          'vector-effect': 'non-scaling-stroke',
        } as const
        return (
          <g key={colour}>
            <path d={line} stroke-width="2" {...shared} />
            <path d={points} stroke-width="6" {...shared} />
          </g>
        )
      })}
      <line x1="0" x2={width} y1={height} y2={height} stroke="var(--line-strong)" />
    </svg>
  )
}

/** A line through neighbours. A value without neighbours is a point, large enough to be seen. */
function pathsOf(values: readonly (number | null)[], most: number): { line: string; points: string } {
  const step = width / Math.max(1, values.length)
  const isThere = (index: number) => typeof values[index] === 'number'
  const paths = { line: '', points: '' }
  values.forEach((value, index) => {
    if (value === null) return
    const at = `${(index + 0.5) * step} ${height - (value / most) * (height - 8) - 4}`
    if (isThere(index - 1)) paths.line += `L${at}`
    else if (isThere(index + 1)) paths.line += `M${at}`
    else paths.points += `M${at}L${at}`
  })
  return paths
}
