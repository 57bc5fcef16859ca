import { Checkbox, Group } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Connector } from '../../../api/connectors.ts'
import {
  type Device,
  type DevicePage,
  devicePlace,
  exportDevices,
  listDevices,
} from '../../../api/devices.ts'
import { Age } from '../../../components/age.tsx'
import { Badge } from '../../../components/badge.tsx'
import { Action } from '../../../components/controls/action.tsx'
import { PageLink } from '../../../components/controls/page-link.tsx'
import { DeviceStatus } from '../../../components/device-status.tsx'
import { ExportButton } from '../../../components/export-button.tsx'
import { Faint, Line } from '../../../components/line.tsx'
import { Pane } from '../../../components/pane.tsx'
import { Table } from '../../../components/table/table.tsx'
import { useLive, useRead } from '../../../ui/live-queries.ts'
import { defineTexts, useLanguage, useTexts } from '../../../ui/texts.ts'
import { BulkBar } from './bulk-bar.tsx'
import { type DeviceSearch, toFilter } from './filter.ts'
import { FilterForm } from './filter-form.tsx'
import { NoDevices } from './no-devices.tsx'
import { WhitelistTools } from './whitelist-tools.tsx'

const texts = defineTexts({
  title: ['Devices of the connector', 'Geräte des Konnektors'],
  total: (count: string) => [`${count} in all`, `${count} insgesamt`],
  matching: (count: string, total: string) => [`${count} of ${total}`, `${count} von ${total}`],
  seen: ['Seen', 'Gesehen'],
  address: ['Address', 'Adresse'],
  tags: ['Tags', 'Tags'],
  online: ['online', 'online'],
  offline: ['offline', 'offline'],
  choose: (identity: string) => [`Select ${identity}`, `${identity} auswählen`],
  chooseAll: ['Select all of this page', 'Alle dieser Seite auswählen'],
  first: ['First page', 'Erste Seite'],
  next: ['Next page', 'Nächste Seite'],
  pages: ['Pages', 'Seiten'],
})

const pageSize = 50
/** A count reads all that the filters select. */
const countEveryMs = 30_000

const route = getRouteApi('/connectors/$connector/{-$view}')

/** A page of the devices that the filters in the address select, the last seen first. */
export function DeviceList({ connector }: { readonly connector: Connector }) {
  const t = useTexts(texts)
  const search = route.useSearch()
  const navigate = useNavigate()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const { before, ...filters } = search
  const filter = toFilter(search)
  const isFiltered = Object.keys(filters).length > 0
  const page = useRead(
    'devices',
    listDevices,
    [connector.id, { ...filter, limit: pageSize, ...(before !== undefined && { before }) }],
    { keepsBefore: true },
  )
  const matching = useMatching(connector, filters)
  const open = (next: DeviceSearch) => {
    setChosen(new Set())
    navigate({
      to: '/connectors/$connector/{-$view}',
      params: { connector: connector.id, view: undefined },
      search: next,
    })
  }
  return (
    <Pane
      title={t.title}
      query={page}
      aside={page.data !== undefined && <Count page={page.data} matching={matching} />}
      tools={
        <>
          <WhitelistTools connector={connector} />
          <FilterForm search={search} onChange={open} error={page.error} />
          <ExportButton
            name="identities.csv"
            read={(client) => exportDevices(client, connector.id, filter)}
          />
        </>
      }
    >
      {(read) => (
        <>
          <BulkBar
            connector={connector}
            filter={filter}
            chosen={read.devices.filter(({ identity }) => chosen.has(identity))}
            matching={matching ?? (isFiltered ? undefined : read.total)}
          />
          {read.devices.length === 0 && before === undefined ? (
            <NoDevices connector={connector} isFiltered={isFiltered} />
          ) : (
            <Rows {...{ connector, page: read, chosen, onChoose: setChosen }} />
          )}
          <Pages page={read} search={search} onOpen={open} />
        </>
      )}
    </Pane>
  )
}

/** Returns the number of devices that the filters select; undefined without filters. */
function useMatching(connector: Connector, filters: DeviceSearch): number | undefined {
  const { data } = useLive(
    ['devices', connector.id, 'count', filters],
    (client, signal) =>
      listDevices(client, connector.id, { ...toFilter(filters), limit: 1, count: true }, signal),
    { everyMs: countEveryMs, enabled: Object.keys(filters).length > 0 },
  )
  return data?.matching
}

function Count({ page, matching }: { page: DevicePage; matching: number | undefined }) {
  const t = useTexts(texts)
  const language = useLanguage()
  const total = page.total.toLocaleString(language)
  return (
    <Faint inline>
      {matching === undefined
        ? t.total(total)
        : t.matching(matching.toLocaleString(language), total)}
    </Faint>
  )
}

type RowsProps = {
  readonly connector: Connector
  readonly page: DevicePage
  readonly chosen: ReadonlySet<string>
  readonly onChoose: (chosen: ReadonlySet<string>) => void
}

function Rows({ connector, page: { devices }, chosen, onChoose }: RowsProps) {
  const t = useTexts(texts)
  const isAll = devices.every(({ identity }) => chosen.has(identity))
  const all = new Set(devices.map(({ identity }) => identity))
  const choose = (identity: string) => {
    const next = new Set(chosen)
    if (!next.delete(identity)) next.add(identity)
    onChoose(next)
  }
  return (
    <>
      <Checkbox
        size="xs"
        mt="xs"
        label={t.chooseAll}
        checked={isAll && devices.length > 0}
        indeterminate={!isAll && devices.some(({ identity }) => chosen.has(identity))}
        onChange={() => onChoose(isAll ? new Set() : all)}
      />
      <Table heads={[t.identity, t.status, t.address, t.tags, t.seen]} narrow="stacked">
        {devices.map((device) => (
          <Row
            key={device.identity}
            {...{ connector, device, isChosen: chosen.has(device.identity) }}
            onChoose={() => choose(device.identity)}
          />
        ))}
      </Table>
    </>
  )
}

type RowProps = {
  readonly connector: Connector
  readonly device: Device
  readonly isChosen: boolean
  readonly onChoose: () => void
}

function Row({ connector, device, isChosen, onChoose }: RowProps) {
  const t = useTexts(texts)
  const { identity, status, online, lastip, lastseen, tags } = device
  return (
    <tr>
      <td>
        <Group gap="xs" wrap="nowrap" align="start">
          <Checkbox
            size="xs"
            mt={3}
            aria-label={t.choose(identity)}
            checked={isChosen}
            onChange={onChoose}
          />
          <PageLink
            to="/connectors/$connector/devices/$identity/{-$view}"
            params={{ connector: connector.id, identity }}
            text={identity}
          />
        </Group>
      </td>
      <td data-label={t.status}>
        <Line>
          <DeviceStatus status={status} />
          <Faint inline>{online ? t.online : t.offline}</Faint>
        </Line>
      </td>
      <td data-label={t.address}>{lastip}</td>
      <td data-label={t.tags}>
        {tags.length > 0 && (
          <Line>
            {tags.map(({ name, value }) => (
              <Badge
                key={`${name}:${value}`}
                tone="quiet"
                text={value === '' ? name : `${name}: ${value}`}
              />
            ))}
          </Line>
        )}
      </td>
      <td>
        <Age at={lastseen} never={t.never} />
      </td>
    </tr>
  )
}

type PagesProps = {
  readonly page: DevicePage
  readonly search: DeviceSearch
  readonly onOpen: (search: DeviceSearch) => void
}

/** The way through the list; the browser's Back leads to the page before. */
function Pages({ page: { devices, mayLoadMore }, search, onOpen }: PagesProps) {
  const t = useTexts(texts)
  const { before, ...filters } = search
  const last = devices.at(-1)
  if (before === undefined && !mayLoadMore) return null
  return (
    <Group component="nav" gap="xs" mt="sm" aria-label={t.pages}>
      <Action text={t.first} disabled={before === undefined} onClick={() => onOpen(filters)} />
      <Action
        text={t.next}
        disabled={!mayLoadMore || last === undefined}
        onClick={() => last !== undefined && onOpen({ ...filters, before: devicePlace(last) })}
      />
    </Group>
  )
}
