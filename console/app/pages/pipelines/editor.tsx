import { Alert, Group, Paper, Skeleton, Text } from '@mantine/core'
import type { Problem } from '@millrace/client'
import { lazy, Suspense, useState } from 'react'
import { type FailedCall, listFailedCalls, type Pipeline } from '../../api/pipelines.ts'
import type { AssetDetail } from '../../api/signals.ts'
import { Action } from '../../components/controls/action.tsx'
import { NextStep } from '../../components/next-step.tsx'
import { Trouble } from '../../components/trouble.tsx'
import { useLeaveWarning } from '../../ui/leave-warning.ts'
import { useRead } from '../../ui/live-queries.ts'
import { useMay } from '../../ui/session.tsx'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { PipelineConflict } from './conflict.tsx'
import { listSources, problemsByLink } from './document.ts'
import { LinkForm } from './link-form.tsx'
import { LinkTable } from './link-table.tsx'
import { Palette } from './palette.tsx'
import styles from './pipelines.module.css'
import { SimulationPane } from './simulation-pane.tsx'
import { useDraft } from './use-draft.ts'
import { useFunctions } from './use-functions.ts'

const Diagram = lazy(async () => ({ default: (await import('./diagram.tsx')).Diagram }))

const texts = defineTexts({
  save: ['Save the pipeline', 'Pipeline speichern'],
  discard: ['Discard the changes', 'Änderungen verwerfen'],
  changed: ['Changed, and not saved yet.', 'Geändert und noch nicht gespeichert.'],
  saved: (version: number) => [`Version ${version}`, `Version ${version}`],
  empty: [
    'This pipeline has no link yet. Choose one of the functions; its form opens here.',
    'Diese Pipeline hat noch keine Verknüpfung. Wählen Sie eine der Funktionen; ihr Formular ' +
      'öffnet sich hier.',
  ],
  refused: ['The pipeline was not saved', 'Die Pipeline wurde nicht gespeichert'],
  faults: [
    'Each fault stands at its link, and in the form at its field.',
    'Jeder Fehler steht bei seiner Verknüpfung und im Formular an seinem Feld.',
  ],
  choose: [
    'Choose a link in the diagram or in the list to change it.',
    'Wählen Sie im Diagramm oder in der Liste eine Verknüpfung, um sie zu ändern.',
  ],
  leave: [
    'The pipeline has changes that are not saved. Leave without them?',
    'Die Pipeline hat ungespeicherte Änderungen. Ohne sie weitergehen?',
  ],
})

type Props = { readonly asset: AssetDetail; readonly pipeline: Pipeline }

/** A pipeline as a diagram and as a list, changed by forms, and saved as one change. */
export function Editor({ asset, pipeline }: Props) {
  const t = useTexts(texts)
  const [chosen, setChosen] = useState<string>()
  const editing = useDraft(asset.id, pipeline, (keys) => {
    setChosen((key) => keys.get(key ?? '') ?? key)
  })
  const { draft, problems, isChanged, theirs, error } = editing
  const [module, setModule] = useState({ moduleId: 'builtin', groupId: '' })
  const functions = useFunctions(draft, module)
  const outdated = listOutdated(asset)
  useLeaveWarning(isChanged, t.leave)
  const sources = listSources(draft, asset.signals, functions)
  const faults = problemsByLink(problems, draft)
  const link = draft.links.find(({ key }) => key === chosen)
  const calls = useFailed(asset.id, link?.id)
  const shown = { draft, sources, faults, calls, outdated, chosen, functions }
  const onChoose = setChosen
  const { signals } = asset
  return (
    <>
      <Group mb="sm" gap="sm">
        <Action
          text={t.save}
          main
          busy={editing.isBusy}
          disabled={!isChanged}
          onClick={editing.save}
        />
        {isChanged && <Action text={t.discard} onClick={editing.discard} />}
        <Text size="sm" role="status">
          {isChanged ? t.changed : t.saved(draft.version)}
        </Text>
      </Group>
      {theirs !== undefined && <PipelineConflict editing={editing} theirs={theirs} />}
      {error !== null && theirs === undefined && problems.length === 0 && <Trouble error={error} />}
      {problems.length > 0 && <Refused general={faults.get('') ?? []} />}
      <div className={styles.editor}>
        <Palette
          chosen={module}
          onChoose={setModule}
          functions={functions}
          onAdd={(described) => setChosen(editing.add(module, described))}
        />
        <div className={styles.middle}>
          <Suspense fallback={<Skeleton height={420} />}>
            <Diagram {...{ ...shown, signals, onChoose }} onConnect={editing.connect} />
          </Suspense>
          <LinkTable {...{ ...shown, signals, onChoose }} onChange={editing.change} />
          <SimulationPane asset={asset.id} draft={draft} />
        </div>
        <Paper withBorder p="md" className={styles.form}>
          {link === undefined ? (
            <NextStep>{draft.links.length === 0 ? t.empty : t.choose}</NextStep>
          ) : (
            <LinkForm
              key={`${link.key}/${draft.version}`}
              {...{ ...shown, onChoose }}
              link={link}
              asset={asset}
              onChange={editing.change}
              onRemove={editing.remove}
            />
          )}
        </Paper>
      </div>
    </>
  )
}

/** Says that nothing was saved, with what is wrong with the whole. */
function Refused({ general }: { readonly general: readonly Problem[] }) {
  const t = useTexts(texts)
  return (
    <Alert color="red" role="alert" p="sm" mb="sm" title={t.refused}>
      {t.faults}
      {general.map(({ pointer, detail }) => (
        <Text key={`${pointer} ${detail}`} size="sm" className={styles.fault}>
          {detail}
        </Text>
      ))}
    </Alert>
  )
}

/** The calls of each link that failed and wait; none for a role that may not see them. */
function useFailed(
  asset: string,
  chosen: string | undefined,
): ReadonlyMap<string, readonly FailedCall[]> {
  const mayRead = useMay('Setup')
  const calls = useRead('failed-calls', listFailedCalls, [{ asset }], { enabled: mayRead })
  // Another link may have so many newer ones that those of the chosen one are not among them.
  const ofChosen = useRead('failed-calls', listFailedCalls, [{ asset, link: chosen ?? '' }], {
    enabled: mayRead && chosen !== undefined,
  })
  const all = new Map<string, readonly FailedCall[]>(
    Map.groupBy(calls.data ?? [], ({ link }) => link ?? ''),
  )
  if (chosen !== undefined && ofChosen.data !== undefined) all.set(chosen, ofChosen.data)
  return all
}

/**
 * Returns the links that do not fit any more since a module lists another version of a function.
 */
function listOutdated({ links }: AssetDetail): ReadonlyMap<string, readonly string[]> {
  const all = links.map(({ id, outdated }) => [id, outdated] as const)
  return new Map(all.filter(([, sentences]) => sentences.length > 0))
}
