import { Text } from '@mantine/core'
import type { Asset } from '../../api/assets.ts'
import {
  type AssetDetail,
  historySignalsMax,
  readAsset,
  readHistories,
  type Signal,
  type Value,
} from '../../api/signals.ts'
import { Age } from '../../components/age.tsx'
import { AssetStatus } from '../../components/asset-status.tsx'
import { Faint } from '../../components/line.tsx'
import { LongText } from '../../components/long-text.tsx'
import { NextStep } from '../../components/next-step.tsx'
import { Pane } from '../../components/pane.tsx'
import { Sparkline } from '../../components/sparkline.tsx'
import { CourseCell, courseHead, Table } from '../../components/table.tsx'
import { Trouble } from '../../components/trouble.tsx'
import { createSignal } from '../../ui/curl.ts'
import { isOutage } from '../../ui/errors.ts'
import { chosenEveryMs, listEveryMs, useConnectors, useLive } from '../../ui/live.ts'
import { useShell } from '../../ui/session.tsx'
import { shownUnit, shownValue } from '../../ui/words.ts'

/** The number of values in a curve. */
const courseValues = 60

type PaneProps = {
  readonly id: string
  /** The same asset in the list: read at another moment, it shall not contradict this one. */
  readonly listed: Asset | undefined
}

/** One asset: its status, and each of its signals with its latest value and recent curve. */
export function AssetPane({ id, listed }: PaneProps) {
  const asset = useLive({
    key: ['asset', id],
    read: (client, signal) => readAsset(client, id, signal),
    everyMs: chosenEveryMs,
  })
  const { data } = asset
  return (
    <Pane
      title={data?.name ?? 'Asset'}
      query={asset}
      aside={data != null && <AssetStatus status={(listed ?? data).status} />}
    >
      {(found) =>
        found === null ? (
          <NextStep>This asset is not there any more. Choose another.</NextStep>
        ) : (
          <Signals asset={found} />
        )
      }
    </Pane>
  )
}

function Signals({ asset }: { readonly asset: AssetDetail }) {
  const { id, description, signals } = asset
  const isMany = signals.length > historySignalsMax
  const histories = useLive({
    key: ['histories', id],
    read: (client, signal) => readHistories(client, id, courseValues, signal),
    everyMs: listEveryMs,
    enabled: signals.length > 0 && !isMany,
  })
  return (
    <>
      {description !== '' && <Text size="sm">{description}</Text>}
      {histories.error !== null && !isOutage(histories.error) && (
        <Trouble error={histories.error} isShown />
      )}
      {isMany && <Faint>More than {historySignalsMax} signals: no courses are drawn.</Faint>}
      {signals.length === 0 ? (
        <NoSignals asset={asset} />
      ) : (
        <Table heads={['Signal', 'Latest value', courseHead, 'Age']} narrow="paired">
          {signals.map((signal) => (
            <Row key={signal.id} signal={signal} history={histories.data?.get(signal.id)} />
          ))}
        </Table>
      )}
    </>
  )
}

function NoSignals({ asset: { id, device } }: { readonly asset: AssetDetail }) {
  const shell = useShell()
  const connectors = useConnectors()
  const connector = connectors.data?.find((one) => one.id === device?.connectorId)
  return (
    <NextStep command={createSignal(shell, id, connector)}>
      {device === null
        ? 'This asset has no signals yet, and no device that could feed one. This makes a signal:'
        : 'This asset has no signals yet. This makes one that a resource of its device feeds:'}
    </NextStep>
  )
}

type RowProps = { readonly signal: Signal; readonly history: readonly Value[] | undefined }

function Row({ signal, history = [] }: RowProps) {
  const { name, lastValue } = signal
  return (
    <tr>
      <td>
        {name}
        <Faint>{sourceOf(signal)}</Faint>
      </td>
      <td>{lastValue === null ? <Faint>no value yet</Faint> : <Shown signal={signal} />}</td>
      <CourseCell>
        <Sparkline values={withLast(history, lastValue)} />
      </CourseCell>
      <td>{lastValue !== null && <Age at={lastValue.ts} />}</td>
    </tr>
  )
}

function Shown({ signal: { lastValue, precision, dataUnit } }: { readonly signal: Signal }) {
  const text = shownValue(lastValue?.value, precision)
  if (typeof lastValue?.value !== 'number') return <LongText text={text} />
  return (
    <>
      {text} {shownUnit(dataUnit)}
    </>
  )
}

function sourceOf({ source }: Signal): string {
  if (source === null) return 'nothing feeds it'
  if (source.linkId !== null) return 'computed by a function'
  return source.channel === null ? `${source.alias}` : `${source.alias}, channel ${source.channel}`
}

/** The latest value is read more often than the history. */
function withLast(history: readonly Value[], last: Value | null): readonly Value[] {
  const isNewer = last !== null && last.ts > (history.at(-1)?.ts ?? Number.POSITIVE_INFINITY)
  return isNewer ? [...history, last] : history
}
