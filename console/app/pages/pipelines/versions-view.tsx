import { Button } from '@mantine/core'
import { microsOf } from '../../api/graphql.ts'
import { listVersions, type PipelineVersion, restorePipeline } from '../../api/pipelines.ts'
import { Age } from '../../components/age.tsx'
import { Faint } from '../../components/line.tsx'
import { NextStep } from '../../components/next-step.tsx'
import { Pane } from '../../components/pane.tsx'
import { Table } from '../../components/table.tsx'
import { Trouble } from '../../components/trouble.tsx'
import { useChange } from '../../ui/change.ts'
import { listEveryMs, useLive } from '../../ui/live.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { pipelineTexts } from './texts.ts'

const texts = defineTexts(
  {
    none: 'Nothing was saved yet. Each change of a link becomes a version here.',
    version: 'Version',
    changed: 'What it changed',
    saved: 'Saved',
    added: (names: string) => `new: ${names}`,
    removed: (names: string) => `removed: ${names}`,
    unknown: 'The version before is not kept any more.',
    nothing: 'nothing',
    restore: (version: number) => `Restore version ${version}`,
    current: 'in use',
  },
  {
    de: {
      none:
        'Es wurde noch nichts gespeichert. ' +
        'Jede Änderung einer Verknüpfung wird hier eine Version.',
      version: 'Version',
      changed: 'Was sie geändert hat',
      saved: 'Gespeichert',
      added: (names: string) => `neu: ${names}`,
      removed: (names: string) => `entfernt: ${names}`,
      unknown: 'Die Version davor wird nicht mehr aufbewahrt.',
      nothing: 'nichts',
      restore: (version: number) => `Version ${version} wiederherstellen`,
      current: 'in Gebrauch',
    },
  },
)

type Props = { readonly asset: string; readonly current: number }

/** The versions of a pipeline, what each changed, and the way back to it. */
export function VersionsView({ asset, current }: Props) {
  const t = useTexts(texts)
  const words = useTexts(pipelineTexts)
  const versions = useLive({
    key: ['pipeline-versions', asset],
    read: (client, signal) => listVersions(client, asset, signal),
    everyMs: listEveryMs,
  })
  const { isBusy, error, run } = useChange<number>((client, version) =>
    restorePipeline(client, asset, version),
  )
  return (
    <Pane title={words.versions} query={versions}>
      {(found) => (
        <>
          {error !== null && <Trouble error={error} />}
          {found.length === 0 && <NextStep>{t.none}</NextStep>}
          {found.length > 0 && (
            <Table heads={[t.version, t.changed, t.saved]} narrow="stacked">
              {found.map((one, at) => (
                <tr key={one.version}>
                  <td>
                    {one.version} {one.version === current && <Faint inline>{t.current}</Faint>}
                    {one.version !== current && (
                      <div>
                        <Button
                          size="compact-xs"
                          variant="default"
                          loading={isBusy}
                          onClick={() => run(one.version)}
                        >
                          {t.restore(one.version)}
                        </Button>
                      </div>
                    )}
                  </td>
                  <td data-label={t.changed}>
                    <Difference version={one} before={found[at + 1]} />
                    <Faint>{one.savedBy ?? words.platform}</Faint>
                  </td>
                  <td>
                    <Age at={microsOf(one.savedAt)} />
                  </td>
                </tr>
              ))}
            </Table>
          )}
        </>
      )}
    </Pane>
  )
}

type DifferenceProps = {
  readonly version: PipelineVersion
  readonly before: PipelineVersion | undefined
}

function Difference({ version, before }: DifferenceProps) {
  const t = useTexts(texts)
  const { difference } = version
  if (difference === null) return t.unknown
  const names = new Map([...namesOf(before), ...namesOf(version)])
  const name = (id: string) => names.get(id) ?? id
  const parts = [
    ...(difference.added.length > 0 ? [t.added(difference.added.map(name).join(', '))] : []),
    ...(difference.removed.length > 0 ? [t.removed(difference.removed.map(name).join(', '))] : []),
    ...difference.changed.map(({ id, fields }) => `${name(id)}: ${fields.join(', ')}`),
  ]
  return parts.join('; ') || t.nothing
}

function namesOf(version: PipelineVersion | undefined): readonly (readonly [string, string])[] {
  const { links = [] } = (version?.document ?? {}) as {
    readonly links?: readonly { readonly id: string; readonly name: string }[]
  }
  return links.map(({ id, name }) => [id, name] as const)
}
