import { Tabs } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { readPipeline } from '../../api/pipelines.ts'
import { readAsset } from '../../api/signals.ts'
import { PageLink } from '../../components/controls/page-link.tsx'
import { useMaySeeValues } from '../../components/no-values.tsx'
import { NotFoundPage } from '../../components/not-found.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { Trouble } from '../../components/trouble.tsx'
import { hasCode } from '../../ui/errors.ts'
import { chosenEveryMs, useLive } from '../../ui/live.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { Editor } from './editor.tsx'
import { pipelineTexts } from './texts.ts'
import { VersionsView } from './versions-view.tsx'

const texts = defineTexts({
  title: (name: string) => [`Pipeline of ${name}`, `Pipeline von ${name}`],
  asset: ['Back to the asset', 'Zurück zur Anlage'],
})

const route = getRouteApi('/assets/$asset/pipeline/{-$view}')

/** The pipeline of an asset: its editor, and its versions. */
export function PipelinePage() {
  const t = useTexts(texts)
  const words = useTexts(pipelineTexts)
  const { asset: id, view } = route.useParams()
  const navigate = useNavigate()
  const maySeeValues = useMaySeeValues()
  const asset = useLive(
    ['asset', id],
    (client, signal) => readAsset(client, id, maySeeValues, signal),
    { everyMs: chosenEveryMs },
  )
  const pipeline = useLive(['pipeline', id], (client, signal) => readPipeline(client, id, signal))
  if (asset.data === null || hasCode(pipeline.error, 'not_found')) return <NotFoundPage />
  const error = asset.error ?? pipeline.error
  const open = (next: string | null) =>
    navigate({
      to: '/assets/$asset/pipeline/{-$view}',
      params: { asset: id, view: next === 'versions' ? next : undefined },
    })
  return (
    <>
      <PageHead title={t.title(asset.data?.name ?? id)}>
        <PageLink to="/assets/$asset" params={{ asset: id }} text={t.asset} />
      </PageHead>
      {error !== null && <Trouble error={error} isShown={pipeline.data !== undefined} />}
      <Tabs
        value={view === 'versions' ? view : 'editor'}
        onChange={open}
        // What was edited stays while versions are looked at.
        keepMounted
      >
        <Tabs.List aria-label={words.pipeline} mb="sm">
          <Tabs.Tab value="editor">{words.editor}</Tabs.Tab>
          <Tabs.Tab value="versions">{words.versions}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="editor">
          {asset.data != null && pipeline.data !== undefined && (
            <Editor key={id} asset={asset.data} pipeline={pipeline.data} />
          )}
        </Tabs.Panel>
        <Tabs.Panel value="versions">
          {view === 'versions' && pipeline.data !== undefined && (
            <VersionsView asset={id} current={pipeline.data.version} />
          )}
        </Tabs.Panel>
      </Tabs>
    </>
  )
}
