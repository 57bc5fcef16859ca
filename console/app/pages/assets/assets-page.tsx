import { Pagination } from '@mantine/core'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { type Asset, type AssetPage, listAssets } from '../../api/assets.ts'
import { microsOf } from '../../api/graphql.ts'
import { Age } from '../../components/age.tsx'
import { AssetStatus } from '../../components/asset-status.tsx'
import { Choices } from '../../components/choices.tsx'
import { Faint, Line } from '../../components/line.tsx'
import { NextStep } from '../../components/next-step.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { Pane } from '../../components/pane.tsx'
import styles from '../../components/panes.module.css'
import { createAsset } from '../../ui/curl.ts'
import { chosenEveryMs, useLive } from '../../ui/live.ts'
import { useShell } from '../../ui/session.tsx'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { AssetPane } from './asset-pane.tsx'

const texts = defineTexts({ title: 'Assets' }, { de: { title: 'Anlagen' } })

const pageSize = 50

/** Assets with their status, and the signals of one. */
export function AssetsPage() {
  const t = useTexts(texts)
  const { asset } = useParams({ from: '/assets/{-$asset}' })
  const navigate = useNavigate()
  const [page, setPage] = useState(1)
  const chooseAsset = (id: string) => navigate({ to: '/assets/{-$asset}', params: { asset: id } })
  const assets = useLive({
    key: ['assets', page],
    read: (client, signal) =>
      listAssets(client, { limit: pageSize, offset: (page - 1) * pageSize }, signal),
    everyMs: chosenEveryMs,
    keepsBefore: true,
  })
  const listed = assets.data?.assets.find(({ id }) => id === asset)
  return (
    <>
      <PageHead title={t.title} />
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
    </>
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
  return (
    <NextStep command={createAsset(shell)}>
      There is no asset yet. An asset is a thing that is watched. This makes one:
    </NextStep>
  )
}
