import { Anchor, Pagination } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type Asset, changeAsset, levels, listAssets } from '../../api/assets.ts'
import { parseMicros } from '../../api/graphql.ts'
import { Age } from '../../components/age.tsx'
import { AssetStatus, levelTexts } from '../../components/asset-status.tsx'
import { Action } from '../../components/controls/action.tsx'
import { SelectField, TextField } from '../../components/controls/fields.tsx'
import { PageLink } from '../../components/controls/page-link.tsx'
import { later } from '../../components/dialogs/lazy-dialog.tsx'
import { Icon } from '../../components/icon.tsx'
import { Faint } from '../../components/line.tsx'
import { NextStep } from '../../components/next-step.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { Pane } from '../../components/pane.tsx'
import { Table } from '../../components/table/table.tsx'
import { Trouble } from '../../components/trouble.tsx'
import { useChange } from '../../ui/change.ts'
import { createAsset } from '../../ui/curl.ts'
import { useRead } from '../../ui/live-queries.ts'
import { useMay, useShell } from '../../ui/session.tsx'
import { defineTexts, useLanguage, useTexts } from '../../ui/texts.ts'
import { AssetMenu } from './asset-menu.tsx'
import styles from './assets.module.css'
import { FileButtons } from './files/file-buttons.tsx'
import { assetDragType, GroupTree } from './group-tree.tsx'
import { useTemplates } from './templates/use-templates.ts'

const NewAssetDialog = later(async () => (await import('./new-asset-dialog.tsx')).NewAssetDialog)

const texts = defineTexts({
  title: ['Assets', 'Anlagen'],
  since: ['since', 'seit'],
  find: ['Find by name or description', 'Nach Name oder Beschreibung suchen'],
  every: ['every level', 'jede Stufe'],
  add: ['New asset', 'Neue Anlage'],
  templates: ['Templates', 'Vorlagen'],
  ofTemplate: (name: string) => [`made of ${name}`, `aus der Vorlage ${name}`],
  everyAsset: ['show all', 'alle zeigen'],
  none: [
    'There is no asset yet. An asset is a thing that is watched. This makes one, too:',
    'Es gibt noch keine Anlage. Eine Anlage wird überwacht. Auch dies legt eine an:',
  ],
  nothing: ['No asset matches.', 'Keine Anlage passt.'],
  total: (count: string) => [`${count} in all`, `${count} insgesamt`],
  page: (control: string) => [`${control} page`, `Seite: ${control}`],
})

const pageSize = 50
const typingMs = 300
const route = getRouteApi('/assets/')

/** The assets of a group and those below it, with their status. */
export function AssetsPage() {
  const t = useTexts(texts)
  const language = useLanguage()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const mayChange = useMay('Asset Management')
  const [isMaking, setMaking] = useState(false)
  const { group: group_id, text, level, template, page = 1 } = search
  const move = useChange<{ id: string; groupId: string }>((client, { id, groupId }) =>
    changeAsset(client, { id, input: { groupId } }),
  )
  const templateIds = template === undefined ? undefined : [template]
  const filters = { group_id, text, level: level && [level], templateIds, orderBy: 'name' }
  const assets = useRead(
    'assets',
    listAssets,
    [{ filters, limit: pageSize, offset: (page - 1) * pageSize }],
    { keepsBefore: true },
  )
  const total = assets.data?.assetCount
  const isFiltered = [group_id, text, level, template].some((one) => one !== undefined)
  return (
    <>
      <PageHead title={t.title}>
        <PageLink to="/assets/templates" text={t.templates} />
        <FileButtons filter={{ group: group_id, text, level, template }} />
        {mayChange && <Action text={t.add} icon="plus" main onClick={() => setMaking(true)} />}
      </PageHead>
      {isMaking && <NewAssetDialog groupId={group_id} onClose={() => setMaking(false)} />}
      {move.error !== null && <Trouble error={move.error} />}
      <div className={styles.layout}>
        <GroupTree onDrop={(id, groupId) => move.run({ id, groupId })} />
        <Pane
          title={t.title}
          query={assets}
          aside={total !== undefined && <Faint>{t.total(total.toLocaleString(language))}</Faint>}
          tools={<Filters />}
        >
          {({ assets: shown, assetCount }) => (
            <>
              {assetCount === 0 && (isFiltered ? <NextStep>{t.nothing}</NextStep> : <NoAssets />)}
              {shown.length > 0 && <AssetTable assets={shown} mayChange={mayChange} />}
              {assetCount > pageSize && (
                <Pagination
                  mt="sm"
                  size="sm"
                  total={Math.ceil(assetCount / pageSize)}
                  value={page}
                  onChange={(next) => navigate({ search: { ...search, page: next } })}
                  getControlProps={(control) => ({ 'aria-label': t.page(control) })}
                />
              )}
            </>
          )}
        </Pane>
      </div>
    </>
  )
}

/** Each is a part of the address. */
function Filters() {
  const t = useTexts(texts)
  const names = useTexts(levelTexts)
  const { text = '', level = '', template } = route.useSearch()
  const navigate = route.useNavigate()
  const become = (part: object) =>
    navigate({ search: (before) => ({ ...before, page: undefined, ...part }), replace: true })
  const find = useDebouncedCallback(
    (typed: string) => become({ text: typed.trim() || undefined }),
    typingMs,
  )
  return (
    <div className={styles.filters}>
      <TextField
        aria-label={t.find}
        placeholder={t.find}
        leftSection={<Icon name="search" />}
        defaultValue={text}
        onChange={find}
      />
      <SelectField
        aria-label={t.level}
        value={level}
        data={[
          { value: '', label: t.every },
          ...levels.map((value) => ({ value, label: names[value] })),
        ]}
        onChange={(next) => become({ level: next || undefined })}
      />
      {template !== undefined && <OfTemplate id={template} />}
    </div>
  )
}

/** Says of which template the assets are, and takes that filter away. */
function OfTemplate({ id }: { readonly id: string }) {
  const t = useTexts(texts)
  const templates = useTemplates()
  const name = templates.data?.find((one) => one.id === id)?.name ?? id
  return (
    <span className={styles.name}>
      {t.ofTemplate(name)}{' '}
      <Anchor
        size="sm"
        renderRoot={(props) => (
          <Link
            from="/assets"
            to="."
            search={(before) => ({ ...before, template: undefined })}
            {...props}
          />
        )}
      >
        {t.everyAsset}
      </Anchor>
    </span>
  )
}

type TableProps = { readonly assets: readonly Asset[]; readonly mayChange: boolean }

function AssetTable({ assets, mayChange }: TableProps) {
  const t = useTexts(texts)
  const heads = [t.name, t.group, t.device, t.status, ...(mayChange ? [t.actions] : [])]
  return (
    <Table heads={heads} narrow="stacked">
      {assets.map((asset) => (
        <AssetRow key={asset.id} asset={asset} mayChange={mayChange} />
      ))}
    </Table>
  )
}

function AssetRow({ asset, mayChange }: { readonly asset: Asset; readonly mayChange: boolean }) {
  const t = useTexts(texts)
  const { id, name, group, device, status, locked } = asset
  return (
    <tr
      className={styles.row}
      draggable={mayChange && !locked}
      onDragStart={({ dataTransfer }) => dataTransfer.setData(assetDragType, id)}
    >
      <td>
        <PageLink
          to="/assets/$asset"
          params={{ asset: id }}
          className={styles.name}
          draggable={false}
          text={name}
        />
      </td>
      <td data-label={t.group}>{group?.name}</td>
      <td data-label={t.device}>{device?.identity ?? '–'}</td>
      <td data-label={t.status}>
        <AssetStatus status={status} />
        {status.since !== null && (
          <Faint>
            {t.since} <Age at={parseMicros(status.since)} />
          </Faint>
        )}
      </td>
      {mayChange && (
        <td>
          <AssetMenu asset={asset} />
        </td>
      )}
    </tr>
  )
}

function NoAssets() {
  const t = useTexts(texts)
  const shell = useShell()
  return <NextStep command={createAsset(shell)}>{t.none}</NextStep>
}
