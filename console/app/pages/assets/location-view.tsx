import { NumberInput, Paper } from '@mantine/core'
import { changeAsset, listPlaces } from '../../api/assets.ts'
import type { AssetDetail } from '../../api/signals.ts'
import { FieldsForm } from '../../components/form/fields-form.tsx'
import { Faint } from '../../components/line.tsx'
import { NextStep } from '../../components/next-step.tsx'
import { PlaceMap } from '../../components/places/place-map.tsx'
import { useLive } from '../../ui/live-queries.ts'
import { useMay } from '../../ui/session.tsx'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import styles from './assets.module.css'

const texts = defineTexts({
  none: ['This asset has no location.', 'Diese Anlage hat keinen Ort.'],
  map: ['Assets by their places', 'Anlagen nach ihrem Ort'],
  north: ['Degrees north', 'Grad nördlicher Breite'],
  east: ['Degrees east', 'Grad östlicher Länge'],
  moving: ['A signal places this asset.', 'Ein Signal bestimmt den Ort dieser Anlage.'],
  at: (north: number, east: number) => [
    `${north}° north, ${east}° east`,
    `${north}° Nord, ${east}° Ost`,
  ],
})

/** The place of an asset, among the others. No map of another server is asked for. */
export function LocationView({ asset }: { readonly asset: AssetDetail }) {
  const t = useTexts(texts)
  const mayChange = useMay('Asset Management') && !asset.locked
  const places = useLive(['places'], listPlaces)
  const { mode, latitude = null, longitude = null } = asset.location ?? {}
  return (
    <Paper withBorder p="md" className={styles.paper}>
      {latitude === null || longitude === null ? (
        <NextStep>{t.none}</NextStep>
      ) : (
        <>
          <Faint>{t.at(latitude, longitude)}</Faint>
          <PlaceMap key={asset.id} places={places.data ?? []} chosen={asset.id} label={t.map} />
        </>
      )}
      {mode === 'signal' && <Faint>{t.moving}</Faint>}
      {mayChange && mode !== 'signal' && <PlaceForm asset={asset} />}
    </Paper>
  )
}

function PlaceForm({ asset }: { readonly asset: AssetDetail }) {
  const t = useTexts(texts)
  const { latitude, longitude } = asset.location ?? {}
  const degrees = { as: NumberInput, required: true }
  return (
    <FieldsForm
      action={t.save}
      isBelow
      fields={[
        { ...degrees, name: 'latitude', label: t.north, value: latitude, min: -90, max: 90 },
        { ...degrees, name: 'longitude', label: t.east, value: longitude, min: -180, max: 180 },
      ]}
      send={(client, values) => {
        const location = { latitude: Number(values.latitude), longitude: Number(values.longitude) }
        return changeAsset(client, { id: asset.id, input: { location } })
      }}
    />
  )
}
