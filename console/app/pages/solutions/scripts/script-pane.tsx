import { Alert, Group, Skeleton } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useMemo } from 'react'
import type { Client } from '../../../api/client.ts'
import {
  deleteScript,
  getScript,
  putScript,
  type Script,
  type ScriptLine,
} from '../../../api/solutions.ts'
import { Action } from '../../../components/controls/action.tsx'
import { AskedAction } from '../../../components/dialogs/confirm.tsx'
import { Faint } from '../../../components/line.tsx'
import { Pane } from '../../../components/pane.tsx'
import { Trouble } from '../../../components/trouble.tsx'
import { useChange } from '../../../ui/change.ts'
import { useRead } from '../../../ui/live-queries.ts'
import { defineTexts, useTexts } from '../../../ui/texts.ts'
import { useDraft } from '../draft.ts'
import { LeaveGuard } from '../leave-guard.tsx'
import { RunPanel } from '../runs/run-panel.tsx'
import styles from '../solutions.module.css'
import { parseProblems, type ScriptProblem } from './problems.ts'

const CodeEditor = lazy(async () => ({
  default: (await import('./code-editor.tsx')).CodeEditor,
}))

const texts = defineTexts({
  source: (name: string) => [`Source of ${name}`, `Quelltext von ${name}`],
  unsaved: [
    'Not saved yet. What runs is the script that is saved.',
    'Noch nicht gespeichert. Es läuft das gespeicherte Skript.',
  ],
  undo: ['Undo all changes', 'Alle Änderungen verwerfen'],
  remove: ['Delete', 'Löschen'],
  removeTitle: (name: string) => [`Delete ${name}?`, `${name} löschen?`],
  lost: [
    'Its source is lost. Events that only this script handles are no longer handled.',
    'Der Quelltext geht verloren. Ereignisse ohne anderes Skript bleiben unbearbeitet.',
  ],
  refused: [
    'It was not saved: it does not compile',
    'Nicht gespeichert: Es lässt sich nicht übersetzen',
  ],
  line: (line: number) => [`Line ${line}`, `Zeile ${line}`],
  otherTitle: ['The script was changed elsewhere', 'Das Skript wurde anderswo geändert'],
  other: [
    'What is saved is no longer what you began with. Saving replaces it.',
    'Gespeichert ist nicht mehr, womit Sie begannen. Speichern ersetzt es.',
  ],
  take: ['Show what is saved', 'Das Gespeicherte zeigen'],
})

type Props = { readonly solution: string; readonly line: ScriptLine }

/** A script in an editor. */
export function ScriptPane({ solution, line: { kind, name } }: Props) {
  const script = useRead('script', getScript, [solution, name, { kind }])
  return (
    <Pane title={name} query={script} aside={<RemoveButton {...{ solution, kind, name }} />}>
      {(read) => <Editor solution={solution} script={read} />}
    </Pane>
  )
}

type EditorProps = { readonly solution: string; readonly script: Script }

function Editor({ solution, script }: EditorProps) {
  const t = useTexts(texts)
  const { kind, name } = script
  const { text, setText, isDirty, isOther, take, setBase } = useDraft(script.source)
  const queries = useQueryClient()
  const { isBusy, error, run } = useChange<string>(async (client, source) => {
    const saved = await putScript(client, solution, { kind, name }, source)
    const queryKey = ['script', solution, name, { kind }]
    // A read that began before would show what was there before.
    await queries.cancelQueries({ queryKey })
    queries.setQueryData(queryKey, saved)
    setBase(source)
  })
  const problems = useMemo(() => parseProblems(error), [error])
  const save = () => {
    if (!isBusy) run(text)
  }
  return (
    <>
      <Suspense fallback={<Skeleton height={320} mt="xs" />}>
        <CodeEditor
          label={t.source(name)}
          {...{ text, problems }}
          onChange={setText}
          onSave={save}
        />
      </Suspense>
      <Problems problems={problems} />
      {error !== null && problems.length === 0 && <Trouble error={error} />}
      {isOther && (
        <Alert
          color="orange"
          role="alert"
          title={t.otherTitle}
          classNames={{ label: styles.warning }}
          p="sm"
          my="xs"
        >
          {t.other} <Action text={t.take} small onClick={take} />
        </Alert>
      )}
      <Group gap="xs" mt="xs">
        <Action text={t.save} main busy={isBusy} disabled={!isDirty} onClick={save} />
        <Action text={t.undo} disabled={!isDirty} onClick={take} />
        <span role="status">
          <Faint inline>{isDirty ? t.unsaved : t.saved}</Faint>
        </span>
      </Group>
      <LeaveGuard isDirty={isDirty} />
      {kind === 'handler' && <RunPanel solution={solution} {...parseHandlerName(name)} />}
    </>
  )
}

/** A handler is named `<service>_<event>`; a service may have underscores. */
function parseHandlerName(name: string) {
  const at = name.lastIndexOf('_')
  return { service: name.slice(0, at), event: name.slice(at + 1) }
}

function Problems({ problems }: { readonly problems: readonly ScriptProblem[] }) {
  const t = useTexts(texts)
  if (problems.length === 0) return null
  return (
    <Alert color="red" role="alert" title={t.refused} p="sm" my="xs">
      <ul className={styles.problems}>
        {problems.map(({ line, message }) => (
          <li key={`${line} ${message}`}>
            {t.line(line)}: {message}
          </li>
        ))}
      </ul>
    </Alert>
  )
}

type RemoveProps = { readonly solution: string } & Pick<ScriptLine, 'kind' | 'name'>

function RemoveButton({ solution, kind, name }: RemoveProps) {
  const t = useTexts(texts)
  const navigate = useNavigate()
  const remove = async (client: Client) => {
    await deleteScript(client, solution, name, { kind })
    await navigate({ to: '.', ignoreBlocker: true })
  }
  return <AskedAction action={t.remove} title={t.removeTitle(name)} loss={t.lost} work={remove} />
}
