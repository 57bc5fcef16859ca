import { Paper, Text } from '@mantine/core'
import { useState } from 'react'
import { type AssetDetail, removeSignal, type Signal } from '../../api/signals.ts'
import { Age } from '../../components/age.tsx'
import { Level } from '../../components/asset-status.tsx'
import { Badge } from '../../components/badge.tsx'
import { Action, IconAction } from '../../components/controls/action.tsx'
import { PageLink } from '../../components/controls/page-link.tsx'
import { useAsk } from '../../components/dialogs/confirm.tsx'
import { Faint, Line } from '../../components/line.tsx'
import { LongText } from '../../components/long-text.tsx'
import { NextStep } from '../../components/next-step.tsx'
import { NoValues, useMaySeeValues } from '../../components/no-values.tsx'
import { Table } from '../../components/table/table.tsx'
import { createSignal } from '../../ui/curl.ts'
import { useConnectors } from '../../ui/live-queries.ts'
import { type LatestValues, useLatest, useLiveValues } from '../../ui/live-values.ts'
import { useMay, useShell } from '../../ui/session.tsx'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { reading, type UnitOf, useUnitFor } from '../../ui/units/shown-units.ts'
import styles from './assets.module.css'
import { SignalDialog } from './signal-dialog.tsx'

const texts = defineTexts({
  value: ['Latest value', 'Letzter Wert'],
  age: ['Age', 'Alter'],
  none: ['no value yet', 'noch kein Wert'],
  nothing: ['nothing feeds it', 'nichts speist es'],
  computed: ['computed by a function', 'von einer Funktion berechnet'],
  channel: (alias: string, channel: string) => [
    `${alias}, channel ${channel}`,
    `${alias}, Kanal ${channel}`,
  ],
  add: ['New signal', 'Neues Signal'],
  edit: (name: string) => [`Change ${name}`, `${name} ändern`],
  remove: (name: string) => [`Delete ${name}`, `${name} löschen`],
  lost: [
    'The signal goes with all of its values. It cannot be undone.',
    'Mit dem Signal gehen alle seine Werte verloren. Das lässt sich nicht rückgängig machen.',
  ],
  used: (names: string) => [
    `It cannot be deleted while these functions use it: ${names}.`,
    `Es wird nicht gelöscht, solange diese es verwenden: ${names}.`,
  ],
  noSignals: [
    'This asset has no signals yet. This makes one, too:',
    'Diese Anlage hat noch keine Signale. Auch dies legt eines an:',
  ],
  live: ['live', 'live'],
  connecting: ['connecting', 'verbindet'],
  reconnecting: ['reconnecting', 'verbindet neu'],
  stopped: ['not live', 'nicht live'],
})

const tones = { live: 'good', connecting: 'quiet', reconnecting: 'care', stopped: 'bad' } as const

/** The signals of an asset with their values as they come. */
export function SignalsView({ asset }: { readonly asset: AssetDetail }) {
  const t = useTexts(texts)
  const { id, description, signals, locked } = asset
  const mayChange = useMay('Asset Management') && !locked
  const [edited, setEdited] = useState<Signal | 'new'>()
  const maySeeValues = useMaySeeValues()
  const ids = maySeeValues ? signals.map((signal) => signal.id) : []
  const { state, values } = useLiveValues(ids, ['asset', id])
  const unitOf = useUnitFor()
  return (
    <Paper withBorder p="md" className={styles.paper}>
      <Line ends>
        {signals.length > 0 && !maySeeValues && <NoValues />}
        {signals.length > 0 && maySeeValues && (
          <span role="status">
            <Badge
              tone={tones[state]}
              icon={state === 'live' ? 'check' : 'clock'}
              text={t[state]}
            />
          </span>
        )}
        {mayChange && <Action text={t.add} icon="plus" onClick={() => setEdited('new')} />}
      </Line>
      {description !== '' && (
        <Text size="sm" className={styles.name}>
          {description}
        </Text>
      )}
      {signals.length === 0 ? (
        <NoSignals asset={asset} />
      ) : (
        <Table
          heads={[
            ...(maySeeValues ? [t.signal, t.value, t.status, t.age] : [t.signal, t.status]),
            ...(mayChange ? [t.actions] : []),
          ]}
          narrow={maySeeValues ? 'stacked' : 'paired'}
        >
          {signals.map((signal) => (
            <Row
              key={signal.id}
              {...{ asset, signal, values, unitOf, mayChange }}
              onEdit={() => setEdited(signal)}
            />
          ))}
        </Table>
      )}
      {edited !== undefined && (
        <SignalDialog
          assetId={id}
          signal={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Paper>
  )
}

type RowProps = {
  readonly asset: AssetDetail
  readonly signal: Signal
  readonly values: LatestValues
  readonly unitOf: UnitOf | undefined
  readonly mayChange: boolean
  readonly onEdit: () => void
}

function Row({ asset, signal, values, unitOf, mayChange, onEdit }: RowProps) {
  const t = useTexts(texts)
  const last = useLatest(values, signal)
  const { id, name, primitiveType } = signal
  const maySeeValues = useMaySeeValues()
  const statuses = asset.statuses.filter(({ signalId }) => signalId === id)
  return (
    <tr>
      <td className={styles.name}>
        {primitiveType === 'NUMERIC' && maySeeValues ? (
          <PageLink
            to="/assets/$asset/{-$view}"
            params={{ asset: asset.id, view: 'plot' }}
            search={{ signals: id }}
            text={name}
          />
        ) : (
          name
        )}
        <Faint>
          <Source signal={signal} />
        </Faint>
      </td>
      {maySeeValues && (
        <td data-label={t.value}>
          {last === null ? (
            <Faint>{t.none}</Faint>
          ) : (
            <Shown {...{ signal, unitOf }} value={last.value} />
          )}
        </td>
      )}
      <td data-label={t.status}>
        <Line>
          {statuses.map(({ category, level }) => (
            <Level key={category} level={level} />
          ))}
          {statuses.length === 0 && '–'}
        </Line>
      </td>
      {maySeeValues && <td data-label={t.age}>{last === null ? '–' : <Age at={last.ts} />}</td>}
      {mayChange && (
        <td>
          <IconAction icon="pen" label={t.edit(name)} onClick={onEdit} />{' '}
          <Remove asset={asset} signal={signal} />
        </td>
      )}
    </tr>
  )
}

type ShownProps = Pick<RowProps, 'signal' | 'unitOf'> & { readonly value: unknown }

function Shown({ signal, unitOf, value }: ShownProps) {
  if (unitOf === undefined) return null
  const { text, sign } = reading(value, signal, unitOf(signal))
  return typeof value === 'number' ? `${text} ${sign}`.trim() : <LongText text={text} />
}

function Source({ signal: { source } }: { readonly signal: Signal }) {
  const t = useTexts(texts)
  if (source === null) return t.nothing
  if (source.linkId !== null) return t.computed
  return source.channel === null ? source.alias : t.channel(source.alias ?? '', source.channel)
}

function Remove({ asset, signal }: { readonly asset: AssetDetail; readonly signal: Signal }) {
  const t = useTexts(texts)
  const [ask, question] = useAsk()
  const users = asset.links
    .filter(({ inlets, outlets }) => [...inlets, ...outlets].includes(signal.id))
    .map(({ name }) => name)
  const remove = () =>
    ask({
      title: `${t.remove(signal.name)}?`,
      action: t.delete,
      loss: users.length > 0 ? t.used(users.join(', ')) : t.lost,
      work: (client) => removeSignal(client, { id: signal.id }),
    })
  return (
    <>
      <IconAction icon="bin" label={t.remove(signal.name)} onClick={remove} />
      {question}
    </>
  )
}

function NoSignals({ asset: { id, device } }: { readonly asset: AssetDetail }) {
  const t = useTexts(texts)
  const shell = useShell()
  const connectors = useConnectors()
  const connector = connectors.data?.find((one) => one.id === device?.connectorId)
  return <NextStep command={createSignal(shell, id, connector)}>{t.noSignals}</NextStep>
}
