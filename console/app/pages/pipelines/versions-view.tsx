import { listVersions, readPipelineVersion, restorePipeline } from '../../api/pipelines.ts'
import { toVersions, usePartLines } from '../../components/versions/version.ts'
import { VersionsPane } from '../../components/versions/versions-pane.tsx'
import { useLive } from '../../ui/live-queries.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'

const texts = defineTexts({
  none: [
    'Nothing was saved yet. Each change of a link becomes a version here.',
    'Es wurde noch nichts gespeichert. Jede Änderung einer Verknüpfung wird hier eine Version.',
  ],
  ids: [
    'Links that were removed get their ids back.',
    'Entfernte Verknüpfungen bekommen ihre Ids zurück.',
  ],
})

type Props = { readonly asset: string; readonly current: number }

/** The versions of a pipeline, newest first. */
export function usePipelineVersions(asset: string) {
  const linesOf = usePartLines()
  return useLive(['pipeline-versions', asset], async (client, signal) =>
    toVersions(await listVersions(client, asset, signal), linesOf),
  )
}

/** The versions of a pipeline, what each changed, and the way back to it. */
export function VersionsView({ asset, current }: Props) {
  const t = useTexts(texts)
  const linesOf = usePartLines()
  const query = usePipelineVersions(asset)
  return (
    <VersionsPane
      {...{ query, current }}
      none={t.none}
      compare={{
        list: ['pipeline-versions', asset],
        read: async (client, numbers, signal) => {
          const of = { assetId: asset, ...numbers }
          const { difference } = await readPipelineVersion(client, of, signal)
          return difference === null ? [] : linesOf(difference)
        },
      }}
      restore={(client, version) => restorePipeline(client, asset, { version, current })}
    >
      {t.ids}
    </VersionsPane>
  )
}
