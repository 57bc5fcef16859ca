import { Button, NumberInput, Paper, Group as Row } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import { changeAsset, listPlaces, type Place } from '../../api/assets.ts'
import type { AssetDetail } from '../../api/signals.ts'
import { Faint } from '../../components/line.tsx'
import { NextStep } from '../../components/next-step.tsx'
import { Trouble } from '../../components/trouble.tsx'
import { useChange } from '../../ui/change.ts'
import { listEveryMs, useLive } from '../../ui/live.ts'
import { useMay } from '../../ui/session.tsx'
import { textOf } from '../../ui/submit.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import styles from './assets.module.css'

const texts = defineTexts(
  {
    none: 'This asset has no location.',
    map: 'Assets by their places',
    north: 'Degrees north',
    east: 'Degrees east',
    save: 'Save',
    moving: 'A signal places this asset.',
    at: (north: number, east: number) => `${north}° north, ${east}° east`,
  },
  {
    de: {
      none: 'Diese Anlage hat keinen Ort.',
      map: 'Anlagen nach ihrem Ort',
      north: 'Grad nördlicher Breite',
      east: 'Grad östlicher Länge',
      save: 'Speichern',
      moving: 'Ein Signal bestimmt den Ort dieser Anlage.',
      at: (north: number, east: number) => `${north}° Nord, ${east}° Ost`,
    },
  },
)

/** Where an asset is, among the others. No map of another server is asked for. */
export function LocationView({ asset }: { readonly asset: AssetDetail }) {
  const t = useTexts(texts)
  const mayChange = useMay('Asset Management') && !asset.locked
  const places = useLive({ key: ['places'], read: listPlaces, everyMs: listEveryMs })
  const { mode, latitude = null, longitude = null } = asset.location ?? {}
  return (
    <Paper withBorder p="md" className={styles.paper}>
      {latitude === null || longitude === null ? (
        <NextStep>{t.none}</NextStep>
      ) : (
        <>
          <Faint>{t.at(latitude, longitude)}</Faint>
          <Scatter places={places.data ?? []} chosen={asset.id} label={t.map} />
        </>
      )}
      {mode === 'signal' && <Faint>{t.moving}</Faint>}
      {mayChange && mode !== 'signal' && <PlaceForm asset={asset} />}
    </Paper>
  )
}

const width = 800
const height = 400
const inset = 40
/** A single place has some degrees around it. */
const spanMin = 0.02

type ScatterProps = {
  readonly places: readonly Place[]
  readonly chosen: string
  readonly label: string
}

function Scatter({ places, chosen, label }: ScatterProps) {
  const known = places.flatMap(({ id, name, location }) => {
    const { latitude, longitude } = location ?? {}
    return latitude == null || longitude == null ? [] : [{ id, name, latitude, longitude }]
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
      {known.map(({ id, name, latitude, longitude }) => (
        <Link
          key={id}
          to="/assets/$asset/{-$view}"
          params={{ asset: id, view: 'location' }}
          aria-label={name}
        >
          <circle
            cx={x(longitude)}
            cy={y(latitude)}
            r={id === chosen ? 9 : 6}
            data-chosen={id === chosen}
          >
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

function PlaceForm({ asset }: { readonly asset: AssetDetail }) {
  const t = useTexts(texts)
  const { isBusy, error, run } = useChange<FormData>((client, form) =>
    changeAsset(client, asset.id, {
      location: {
        latitude: Number(textOf(form, 'latitude')),
        longitude: Number(textOf(form, 'longitude')),
      },
    }),
  )
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    run(new FormData(event.currentTarget))
  }
  const { latitude, longitude } = asset.location ?? {}
  return (
    <form onSubmit={submit}>
      <Row gap="xs" align="end" mt="sm">
        <NumberInput
          name="latitude"
          label={t.north}
          size="xs"
          required
          min={-90}
          max={90}
          defaultValue={latitude ?? ''}
        />
        <NumberInput
          name="longitude"
          label={t.east}
          size="xs"
          required
          min={-180}
          max={180}
          defaultValue={longitude ?? ''}
        />
        <Button type="submit" size="xs" loading={isBusy}>
          {t.save}
        </Button>
      </Row>
      {error !== null && <Trouble error={error} />}
    </form>
  )
}
