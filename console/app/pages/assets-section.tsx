import { Pagination, Title } from '@mantine/core'
import { useCallback, useState } from 'react'
import { type Asset, type AssetPage, listAssets } from '../api/assets.ts'
import { microsOf } from '../api/graphql.ts'
import { Age } from '../components/age.tsx'
import { AssetStatus } from '../components/asset-status.tsx'
import { Choices } from '../components/choices.tsx'
import { Faint, Line } from '../components/line.tsx'
import { NextStep } from '../components/next-step.tsx'
import { Pane } from '../components/pane.tsx'
import { createAsset } from '../ui/curl.ts'
import { chosenEveryMs, useConnectors, useLive } from '../ui/live.ts'
import { useSelection } from '../ui/selection.ts'
import { useShell } from '../ui/session.tsx'
import { useDefault } from '../ui/use-default.ts'
import { AssetPane } from './asset-pane.tsx'
import styles from './section.module.css'

const pageSize = 50

/** Assets with their status, and the signals of one. */
export function AssetsSection() {
  const [{ asset }, choose] = useSelection()
  const [page, setPage] = useState(1)
  const chooseAsset = useCallback((id: string) => choose({ asset: id }), [choose])
  const assets = useLive({
    key: ['assets', page],
    read: (client, signal) =>
      listAssets(client, { limit: pageSize, offset: (page - 1) * pageSize }, signal),
    everyMs: chosenEveryMs,
    keepsBefore: true,
  })
  const listed = assets.data?.assets.find(({ id }) => id === asset)
  useDefault(asset, assets.data?.assets[0]?.id, chooseAsset)
  return (
    <section className={styles.section} aria-labelledby="assets">
      <Title order={2} size="h4" id="assets">
        Assets
      </Title>
      <div className={`${styles.panes} ${styles.two}`}>
        <Pane
          title="All assets"
          query={assets}
          aside={assets.data !== undefined && <Faint>{assets.data.assetCount}</Faint>}
        >
          {(found) => (
            <>
              <AssetList found={found} chosen={asset} onChoose={chooseAsset} />
              {found.assetCount > pageSize && (
                <Pagination
                  mt="sm"
                  size="sm"
                  total={Math.ceil(found.assetCount / pageSize)}
                  value={page}
                  onChange={setPage}
                  getControlProps={(control) => ({ 'aria-label': `${control} page` })}
                />
              )}
            </>
          )}
        </Pane>
        {asset !== undefined && <AssetPane key={asset} id={asset} listed={listed} />}
      </div>
    </section>
  )
}

type ListProps = {
  readonly found: AssetPage
  readonly chosen: string | undefined
  readonly onChoose: (id: string) => void
}

function AssetList({ found, chosen, onChoose }: ListProps) {
  if (found.assetCount === 0) return <NoAssets />
  return (
    <Choices
      label="Assets"
      items={found.assets}
      keyOf={({ id }) => id}
      chosen={chosen}
      onChoose={onChoose}
    >
      {(asset) => <AssetLine asset={asset} />}
    </Choices>
  )
}

function AssetLine({ asset: { name, device, status } }: { readonly asset: Asset }) {
  return (
    <>
      <Line ends>
        <span>{name}</span>
        <AssetStatus status={status} />
      </Line>
      <Faint>
        {device !== null && (
          <span>
            {device.connectorId} / {device.identity}
          </span>
        )}
        {status.since === null ? (
          <span>not set by a rule yet</span>
        ) : (
          <span>
            changed <Age at={microsOf(status.since)} />
          </span>
        )}
      </Faint>
    </>
  )
}

function NoAssets() {
  const shell = useShell()
  const connectors = useConnectors()
  const [{ connector, device }] = useSelection()
  const chosen = connectors.data?.find(({ id }) => id === connector)
  if (chosen === undefined || device === undefined) {
    return (
      <NextStep command={createAsset(shell)}>
        There is no asset yet. An asset is a thing that is watched. Choose a device above, where you
        may, for a command that makes an asset of it, or begin with the asset alone:
      </NextStep>
    )
  }
  return (
    <NextStep command={createAsset(shell, chosen, device)}>
      There is no asset yet. An asset is a thing that is watched; this makes one of the device that
      is chosen above:
    </NextStep>
  )
}
