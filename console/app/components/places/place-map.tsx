import { useElementSize } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { levels, type Place } from '../../api/assets.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { Action } from '../controls/action.tsx'
import { PageLink } from '../controls/page-link.tsx'
import { type Cluster, clusterMarkers } from './clusters.ts'
import styles from './place-map.module.css'

const texts = defineTexts({
  many: (count: number) => [`${count} assets close together`, `${count} Anlagen dicht beieinander`],
  here: ['Close together:', 'Dicht beieinander:'],
  out: ['Show all places', 'Alle Orte zeigen'],
  more: (count: number) => [`and ${count} more`, `und ${count} weitere`],
})

/** Before the page has laid it out. */
const widthPreset = 800
const heightMin = 280
const heightMax = 416
const fillMin = 120
/** From the edges to the outermost places: the numbers of the grid stand there. */
const inset = 64
const insetBelow = 40
/** A single place has some degrees around it. */
const spanMin = 0.02
/** That of places that were zoomed to: they are some metres apart. */
const closeSpanMin = 0.0001
const reachPx = 22
const buttonPx = 30
const namesMax = 30

type Props = {
  readonly places: readonly Place[]
  /** The id of the asset whose page it is. */
  readonly chosen?: string
  readonly label: string
  /** Takes the height of what it lies in. */
  readonly fills?: boolean
}

/** Assets by their places; those that would lie over one another are one button. */
export function PlaceMap({ places, chosen, label, fills = false }: Props) {
  const t = useTexts(texts)
  const { ref, width, height, toX, toY } = usePicture(fills)
  // The ids of those that were zoomed to.
  const [near, setNear] = useState<ReadonlySet<string>>()
  const known = places.flatMap(({ id, name, location, status }) => {
    const { latitude, longitude } = location ?? {}
    const isShown = near === undefined || near.has(id)
    return latitude == null || longitude == null || !isShown
      ? []
      : [{ id, name, latitude, longitude, level: status.level }]
  })
  if (known.length === 0) return null
  const least = near === undefined ? spanMin : closeSpanMin
  const across = makeScale(
    known.map((one) => one.longitude),
    least,
  )
  const up = makeScale(
    known.map((one) => one.latitude),
    least,
  )
  const markers = known
    .map(({ id, name, level, latitude, longitude }) => {
      return { id, name, level, x: toX(across.part(longitude)), y: toY(up.part(latitude)) }
    })
    .toSorted((a, b) => Number(b.id === chosen) - Number(a.id === chosen))
  const digits = near === undefined ? 2 : 4
  return (
    <>
      <div ref={ref} className={fills ? styles.fills : undefined}>
        <svg viewBox={`0 0 ${width} ${height}`} height={height} className={styles.map}>
          <title>{label}</title>
          <Grid {...{ across, up, digits, toX, toY, width, height }} />
          {clusterMarkers(markers, reachPx).map((cluster) => (
            <Mark
              key={cluster.all[0]?.id}
              cluster={cluster}
              chosen={chosen}
              onOpen={() => setNear(new Set(cluster.all.map(({ id }) => id)))}
            />
          ))}
        </svg>
      </div>
      {near !== undefined && (
        <>
          <p className={styles.names}>
            {t.here}{' '}
            {known.slice(0, namesMax).map(({ id, name }, at) => (
              <span key={id}>
                {at > 0 && ', '}
                <PageLink
                  to="/assets/$asset/{-$view}"
                  params={{ asset: id, view: 'location' }}
                  text={name}
                />
              </span>
            ))}{' '}
            {known.length > namesMax && t.more(known.length - namesMax)}
          </p>
          <Action text={t.out} onClick={() => setNear(undefined)} />
        </>
      )}
    </>
  )
}

/** The size of the picture: a unit is a pixel, so its texts are as large on a telephone. */
function usePicture(fills: boolean) {
  const { ref, width: measured, height: given } = useElementSize<HTMLDivElement>()
  const width = measured === 0 ? widthPreset : Math.round(measured)
  const usual = Math.min(Math.max(width / 2, heightMin), heightMax)
  const height = fills ? Math.max(Math.floor(given), fillMin) : usual
  const toX = (part: number) => inset + part * (width - 2 * inset)
  const toY = (part: number) => height - insetBelow - part * (height - 2 * insetBelow)
  return { ref, width, height, toX, toY }
}

type Scale = ReturnType<typeof makeScale>

type GridProps = {
  readonly across: Scale
  readonly up: Scale
  readonly digits: number
  /** The place of a part of the whole width, and of the height from below; in pixels. */
  readonly toX: (part: number) => number
  readonly toY: (part: number) => number
  readonly width: number
  readonly height: number
}

function Grid({ across, up, digits, toX, toY, width, height }: GridProps) {
  return [0, 0.5, 1].map((part) => (
    <g key={part}>
      <line x1={inset} x2={width - inset} y1={toY(part)} y2={toY(part)} />
      <text x={4} y={toY(part) - 4}>{`${up.at(part).toFixed(digits)}° N`}</text>
      <line y1={insetBelow} y2={height - insetBelow} x1={toX(part)} x2={toX(part)} />
      <text x={toX(part)} y={height - 12} textAnchor="middle">
        {`${across.at(part).toFixed(digits)}° E`}
      </text>
    </g>
  ))
}

type MarkProps = {
  readonly cluster: Cluster
  readonly chosen: string | undefined
  readonly onOpen: () => void
}

/** An asset as a link, or several as a button. */
function Mark({ cluster: { x, y, all }, chosen, onOpen }: MarkProps) {
  const t = useTexts(texts)
  const isChosen = all.some(({ id }) => id === chosen)
  const [one] = all
  const level = worstLevel(all)
  if (all.length > 1 || one === undefined) {
    return (
      <foreignObject x={x - buttonPx / 2} y={y - buttonPx / 2} width={buttonPx} height={buttonPx}>
        <button
          type="button"
          className={styles.cluster}
          data-chosen={isChosen}
          data-level={level}
          aria-label={t.many(all.length)}
          onClick={onOpen}
        >
          {all.length}
        </button>
      </foreignObject>
    )
  }
  return (
    <Link
      to="/assets/$asset/{-$view}"
      params={{ asset: one.id, view: 'location' }}
      aria-label={one.name}
    >
      <circle cx={x} cy={y} r={isChosen ? 9 : 6} data-chosen={isChosen} data-level={level}>
        <title>{one.name}</title>
      </circle>
    </Link>
  )
}

function worstLevel(all: Cluster['all']) {
  return all
    .map(({ level }) => level)
    .reduce((worst, level) => (rank(level) > rank(worst) ? level : worst))
}

function rank(level: string): number {
  return (levels as readonly string[]).indexOf(level)
}

function makeScale(values: readonly number[], spanLeast: number) {
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const span = Math.max(most - least, spanLeast)
  const from = (least + most - span) / 2
  return {
    part: (value: number) => (value - from) / span,
    at: (part: number) => from + part * span,
  }
}
