import { Link } from '@tanstack/react-router'
import type { Place } from '../../api/assets.ts'
import styles from './scatter.module.css'

const width = 800
const height = 400
const inset = 40
/** A single place has some degrees around it. */
const spanMin = 0.02

type ScatterProps = {
  readonly places: readonly Place[]
  readonly label: string
}

/** Places drawn by their degrees. No map of another server is asked for. */
export function Scatter({ places, label }: ScatterProps) {
  const known = places.flatMap(({ id, name, location, status: { level } }) => {
    const { latitude, longitude } = location ?? {}
    return latitude == null || longitude == null ? [] : [{ id, name, latitude, longitude, level }]
  })
  if (known.length === 0) return null
  const across = scaleOf(known.map((one) => one.longitude))
  const up = scaleOf(known.map((one) => one.latitude))
  const x = (east: number) => inset + across.part(east) * (width - 2 * inset)
  const y = (north: number) => height - inset - up.part(north) * (height - 2 * inset)
  return (
    <svg viewBox={`0 0 ${width} ${height}`} className={styles.map}>
      <title>{label}</title>
      {[0, 0.5, 1].map((part) => (
        <g key={part}>
          <line x1={inset} x2={width - inset} y1={y(up.at(part))} y2={y(up.at(part))} />
          <text x={4} y={y(up.at(part)) - 4}>{`${up.at(part).toFixed(2)}° N`}</text>
          <line y1={inset} y2={height - inset} x1={x(across.at(part))} x2={x(across.at(part))} />
          <text x={x(across.at(part)) - 20} y={height - 12}>
            {`${across.at(part).toFixed(2)}° E`}
          </text>
        </g>
      ))}
      {known.map(({ id, name, latitude, longitude, level }) => (
        <Link
          key={id}
          to="/assets/$asset/{-$view}"
          params={{ asset: id, view: 'location' }}
          aria-label={name}
        >
          <circle cx={x(longitude)} cy={y(latitude)} r={6} data-level={level}>
            <title>{name}</title>
          </circle>
        </Link>
      ))}
    </svg>
  )
}

function scaleOf(values: readonly number[]) {
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const span = Math.max(most - least, spanMin)
  const from = (least + most - span) / 2
  return {
    part: (value: number) => (value - from) / span,
    at: (part: number) => from + part * span,
  }
}
