import { Group, Progress, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Connector } from '../../../api/connectors.ts'
import type { Device, DeviceFilter, DeviceSelection } from '../../../api/devices.ts'
import { Action } from '../../../components/controls/action.tsx'
import { CheckField } from '../../../components/controls/fields.tsx'
import { Confirm } from '../../../components/dialogs/confirm.tsx'
import {
  type BulkAction,
  type BulkProgress,
  bulkActions,
  changeMany,
  isAllowed,
  nothingYet,
} from '../../../ui/devices/bulk-actions.ts'
import { useSignedIn } from '../../../ui/session.tsx'
import { defineTexts, useLanguage, useTexts } from '../../../ui/texts.ts'

const texts = defineTexts({
  label: ['Actions on several devices', 'Aktionen für mehrere Geräte'],
  chosen: (count: string) => [`${count} selected`, `${count} ausgewählt`],
  all: (count: string) => [`all ${count} that match`, `alle ${count}, die passen`],
  lock: ['Lock', 'Sperren'],
  unlock: ['Unlock', 'Entsperren'],
  reprovision: ['Order re-provisioning', 'Erneute Aktivierung anordnen'],
  question: (action: string, count: string) => [
    `${action}: ${count} devices?`,
    `${action}: ${count} Geräte?`,
  ],
  lockLost: [
    'They may not connect from now on.',
    'Sie dürfen sich ab sofort nicht mehr verbinden.',
  ],
  unlockLost: [
    'They may do again what they might before they were locked.',
    'Sie dürfen wieder, was sie vor der Sperre durften.',
  ],
  reprovisionLost: [
    'Their credentials end now, and they must activate again.',
    'Ihre Zugangsdaten enden jetzt, und sie müssen sich erneut aktivieren.',
  ],
  deleteLost: [
    'Their credentials, values and tags end with them and cannot be restored.',
    'Ihre Zugangsdaten, Werte und Tags werden gelöscht und lassen sich nicht wiederherstellen.',
  ],
  skipped: (count: string) => [
    `${count} of them stay as they are: their status allows no change.`,
    `${count} davon bleiben, wie sie sind: Ihr Status lässt keine Änderung zu.`,
  ],
  skips: [
    'Those whose status does not allow it stay as they are.',
    'Diejenigen, deren Status es nicht zulässt, bleiben, wie sie sind.',
  ],
  done: (changed: string, skipped: string, failed: string) => [
    `${changed} changed, ${skipped} left as they were, ${failed} failed.`,
    `${changed} geändert, ${skipped} unverändert, ${failed} fehlgeschlagen.`,
  ],
  stop: ['Stop', 'Anhalten'],
})

type Props = {
  readonly connector: Connector
  readonly filter: DeviceFilter
  /** The devices of the page that are selected. */
  readonly chosen: readonly Device[]
  /** The number of devices that the filters select; undefined: not counted yet. */
  readonly matching: number | undefined
}

/** Changes the selected devices, or all that the filters select, after a preview of how many. */
export function BulkBar({ connector, filter, chosen, matching }: Props) {
  const t = useTexts(texts)
  const language = useLanguage()
  const [isAll, setAll] = useState(false)
  const [asked, setAsked] = useState<BulkAction>()
  const run = useRun(connector)
  const count = isAll ? (matching ?? 0) : chosen.length
  if (run.progress !== undefined) return <Running run={run} total={run.total} />
  if (chosen.length === 0) return null
  const lost = asked && t[`${asked}Lost`]
  const skipped = asked && !isAll ? chosen.filter((one) => !isAllowed(asked, one)).length : 0
  return (
    <Group gap="xs" my="xs" role="group" aria-label={t.label}>
      <Text size="sm">{t.chosen(chosen.length.toLocaleString(language))}</Text>
      {matching !== undefined && matching > chosen.length && (
        <CheckField
          label={t.all(matching.toLocaleString(language))}
          checked={isAll}
          onChange={setAll}
        />
      )}
      {bulkActions.map((action) => (
        <Action key={action} text={t[action]} onClick={() => setAsked(action)} />
      ))}
      {asked !== undefined && (
        <Confirm
          opened
          title={t.question(t[asked], count.toLocaleString(language))}
          action={t[asked]}
          isBusy={false}
          error={null}
          onCancel={() => setAsked(undefined)}
          onConfirm={() => {
            setAsked(undefined)
            const identities = chosen.map(({ identity }) => identity)
            run.start(asked, isAll ? { filter } : { identities }, count)
          }}
        >
          {lost}
          {skipped > 0 && ` ${t.skipped(skipped.toLocaleString(language))}`}
          {isAll && asked !== 'delete' && ` ${t.skips}`}
        </Confirm>
      )}
    </Group>
  )
}

type Run = ReturnType<typeof useRun>

/** A change of many devices: its start, its progress and its end. */
function useRun(connector: Connector) {
  const { client } = useSignedIn()
  const queries = useQueryClient()
  const [progress, setProgress] = useState<BulkProgress>()
  const [isDone, setDone] = useState(false)
  const [total, setTotal] = useState(0)
  const stop = useRef(new AbortController())
  useEffect(() => () => stop.current.abort(), [])
  return {
    progress,
    isDone,
    total,
    async start(action: BulkAction, which: DeviceSelection, count: number) {
      stop.current = new AbortController()
      const { signal } = stop.current
      setDone(false)
      setTotal(count)
      setProgress(nothingYet)
      try {
        const options = { signal, onProgress: setProgress }
        await changeMany(client, connector.id, action, which, options)
      } catch (error) {
        const failed = [{ identity: '', reason: (error as Error).message }]
        if (!signal.aborted) setProgress((now) => ({ ...(now ?? nothingYet), failed }))
      }
      setDone(true)
      await queries.invalidateQueries()
    },
    stop: () => stop.current.abort(),
    close: () => setProgress(undefined),
  }
}

function Running({ run, total }: { readonly run: Run; readonly total: number }) {
  const t = useTexts(texts)
  const language = useLanguage()
  const { changed, skipped, failed } = run.progress ?? nothingYet
  const count = changed + skipped + failed.length
  const words = [changed, skipped, failed.length].map((one) => one.toLocaleString(language))
  const [first = '', second = '', third = ''] = words
  return (
    <div role="status" aria-label={t.label}>
      <Progress
        value={run.isDone ? 100 : (100 * count) / Math.max(1, total)}
        my="xs"
        aria-label={t.label}
      />
      <Group gap="xs">
        <Text size="sm">{t.done(first, second, third)}</Text>
        <Action text={run.isDone ? t.close : t.stop} onClick={run.isDone ? run.close : run.stop} />
      </Group>
      {failed.map(({ identity, reason }) => (
        <Text key={identity} size="sm" style={{ overflowWrap: 'anywhere' }}>
          {identity}: {reason}
        </Text>
      ))}
    </div>
  )
}
