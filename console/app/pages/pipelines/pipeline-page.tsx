import { getRouteApi } from '@tanstack/react-router'
import { type Pipeline, readPipeline } from '../../api/pipelines.ts'
import { type AssetDetail, readAsset } from '../../api/signals.ts'
import { PageLink } from '../../components/controls/page-link.tsx'
import { useMaySeeValues } from '../../components/no-values.tsx'
import { NotFoundPage } from '../../components/not-found.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { Trouble } from '../../components/trouble.tsx'
import { Views } from '../../components/views.tsx'
import { hasCode } from '../../ui/errors.ts'
import { chosenEveryMs, useRead } from '../../ui/live-queries.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { Editor } from './editor.tsx'
import { pipelineTexts } from './texts.ts'
import { VersionsView } from './versions-view.tsx'

const texts = defineTexts({
  title: (name: string) => [`Pipeline of ${name}`, `Pipeline von ${name}`],
  asset: ['Back to the asset', 'Zurück zur Anlage'],
})

/** Undefined until it is read. */
type Props = {
  readonly asset: AssetDetail | undefined
  readonly pipeline: Pipeline | undefined
}

const views = {
  editor: ({ asset, pipeline }: Props) =>
    asset && pipeline && <Editor key={asset.id} asset={asset} pipeline={pipeline} />,
  versions: ({ asset, pipeline }: Props) =>
    asset && pipeline && <VersionsView asset={asset.id} current={pipeline.version} />,
} as const

const route = getRouteApi('/assets/$asset/pipeline/{-$view}')

/** The pipeline of an asset: its editor, and its versions. */
export function PipelinePage() {
  const t = useTexts(texts)
  const words = useTexts(pipelineTexts)
  const { asset: id } = route.useParams()
  const maySeeValues = useMaySeeValues()
  const asset = useRead('asset', readAsset, [id, maySeeValues], { everyMs: chosenEveryMs })
  const pipeline = useRead('pipeline', readPipeline, [id])
  if (asset.data === null || hasCode(pipeline.error, 'not_found')) return <NotFoundPage />
  const error = asset.error ?? pipeline.error
  return (
    <>
      <PageHead title={t.title(asset.data?.name ?? id)}>
        <PageLink to="/assets/$asset" params={{ asset: id }} text={t.asset} />
      </PageHead>
      {error !== null && <Trouble error={error} isShown={pipeline.data !== undefined} />}
      <Views
        titles={{ ...words, views: words.pipeline }}
        views={views}
        of={{ asset: asset.data, pipeline: pipeline.data }}
        kept="editor"
      />
    </>
  )
}
