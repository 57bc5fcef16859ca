import { NumberInput, Paper, Group as Row } from '@mantine/core'
import { changeAsset, listPlaces } from '../../api/assets.ts'
import type { AssetDetail } from '../../api/signals.ts'
import { Action } from '../../components/controls/action.tsx'
import { Form } from '../../components/controls/form.tsx'
import { Faint } from '../../components/line.tsx'
import { NextStep } from '../../components/next-step.tsx'
import { PlaceMap } from '../../components/places/place-map.tsx'
import { Trouble } from '../../components/trouble.tsx'
import { useChange } from '../../ui/change.ts'
import { useLive } from '../../ui/live.ts'
import { useMay } from '../../ui/session.tsx'
import { textOf } from '../../ui/submit.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import styles from './assets.module.css'

const texts = defineTexts({
  none: ['This asset has no location.', 'Diese Anlage hat keinen Ort.'],
  map: ['Assets by their places', 'Anlagen nach ihrem Ort'],
  north: ['Degrees north', 'Grad nördlicher Breite'],
  east: ['Degrees east', 'Grad östlicher Länge'],
  save: ['Save', 'Speichern'],
  moving: ['A signal places this asset.', 'Ein Signal bestimmt den Ort dieser Anlage.'],
  at: (north: number, east: number) => [
    `${north}° north, ${east}° east`,
    `${north}° Nord, ${east}° Ost`,
  ],
})

/** Where an asset is, among the others. No map of another server is asked for. */
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
  const { isBusy, error, run } = useChange<FormData>((client, form) =>
    changeAsset(client, asset.id, {
      location: {
        latitude: Number(textOf(form, 'latitude')),
        longitude: Number(textOf(form, 'longitude')),
      },
    }),
  )
  const submit = (fields: FormData) => run(fields)
  const { latitude, longitude } = asset.location ?? {}
  return (
    <Form onSubmit={submit}>
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
        <Action text={t.save} submit busy={isBusy} />
      </Row>
      {error !== null && <Trouble error={error} />}
    </Form>
  )
}
